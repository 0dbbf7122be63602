/**
 * Rejects most tokens, which also consist of letters, digits and "_": they have lowercase letters or long words.
 * Proxy variables are lowercase.
 */
const usualName = /^([A-Z][A-Z0-9]{0,18}(_[A-Z0-9]{0,18})*|(https?|all|no)_proxy)$/;

/** Whether a text in place of a variable's name can be shown. A user may have pasted the value there. */
export function isUsualVariableName(text: string): boolean {
  return usualName.test(text);
}

/** Why a variable has no value, as the beginning of a sentence. */
export function describeUnsetVariable(name: string): string {
  return isUsualVariableName(name)
    ? `the variable ${name} is not set`
    : 'the value (not shown) is not the name of a variable that is set, such as MY_TOKEN';
}

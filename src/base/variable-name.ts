/** Tokens have letters, digits and "_" as well: a word of one has small letters, or is long. Those of proxies are written small. */
const usualName = /^([A-Z][A-Z0-9]{0,18}(_[A-Z0-9]{0,18})*|(https?|all|no)_proxy)$/;

/** Whether a text where the name of a variable belongs can be shown: somebody may have pasted the value there. */
export function isUsualVariableName(text: string): boolean {
  return usualName.test(text);
}

/** Why there is no value, as the beginning of a sentence. */
export function describeUnsetVariable(name: string): string {
  return isUsualVariableName(name)
    ? `the variable ${name} is not set`
    : 'the value (not shown) is not the name of a variable that is set, such as MY_TOKEN';
}

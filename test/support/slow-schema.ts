/** A schema whose check takes as long as allowed. */
export const slowSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 1400 }, (_, index) => [
      `p${index}`,
      { anyOf: [{ type: 'string', pattern: `^${index}(a+)+$` }, { type: 'number' }, { enum: [1, index] }] },
    ]),
  ),
};

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printCommand } from '../../../src/action/host/log-commands.ts';
import { parseLogCommand } from '../../../src/testing/commands/log-command.ts';

const text = fc
  .array(fc.constantFrom('a', '%', '%0A', '%25', '\r', '\n', ':', '::', ',', '=', ' ', '##[error]', '😀'))
  .map(list => list.join(''));

test('whatever the data and properties, the command is one line and says the same to the runner', () => {
  fc.assert(
    fc.property(text, text, (data, title) => {
      const line = printCommand('warning', data, { title, file: 'src/x.ts' });
      expect(line).not.toMatch(/[\r\n]/);
      const read = parseLogCommand(line, name => name === 'warning');
      const properties = { ...(title === '' ? {} : { title }), file: 'src/x.ts' };
      expect([read?.name, read?.data, Object.fromEntries(read?.properties ?? [])]).toEqual([
        'warning',
        data,
        properties,
      ]);
    }),
  );
});

test('a command without data has the form that GitHub shows', () => {
  expect(printCommand('endgroup')).toBe('::endgroup::');
  expect(printCommand('group', 'Build: 100%')).toBe('::group::Build: 100%25');
});

/**
 * Whether a Node can run this: it needs node:sqlite without a flag, and in a clone type stripping without one, which came with 22.18 and
 * 23.6. Plain JavaScript that Node 14 can parse, and so is launch.js: a Node that is too old gets a sentence and no stack.
 */
export function refuseNode(version, path) {
  const parts = version.split('.').map(Number);
  const major = parts[0];
  const minor = parts[1];
  if (major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return undefined;
  return (
    `agent-run needs Node 22.18 or newer (of Node 23, 23.6), and ${path} is Node ${version}; ` +
    'run it with `npx agent-run` or, in a clone after `npm ci`, `npm start`, or install Node 22.18'
  );
}

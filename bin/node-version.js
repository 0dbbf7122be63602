/**
 * Whether a Node can run this: it needs node:sqlite without a flag, and in a clone type stripping without one, which came with 22.18 and
 * 23.6. Plain JavaScript that Node 14 can parse, and so is launch.js: a Node that is too old gets a sentence and no stack.
 */
export function refuseNode(version, path, isClone) {
  const parts = version.split('.').map(Number);
  const major = parts[0];
  const minor = parts[1];
  if (major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return undefined;
  // Only a clone brings a Node of its own.
  const remedy = isClone
    ? 'Run `npm ci`, then `npx agent-run` or `npm start`: they use the Node that `npm ci` installs.'
    : 'Install Node 24 from https://nodejs.org, then run the command again.';
  return `agent-run needs Node 22.18 or newer (for Node 23: 23.6 or newer), but ${path} is Node ${version}. ${remedy}`;
}

/**
 * The scripted answers of the demo's model. No model is asked: the number of tool calls so far selects the turn. The
 * agent, its tools and their results are real. Every agent calls its own tool for `read`, `shell` and `write`.
 */
import type { ModelScript, ModelTurn } from '../testing/index.ts';

const turns: readonly ModelTurn[] = [
  {
    text: "I'll read the ticket first.",
    tools: [{ mcp: { server: 'tickets', tool: 'read_ticket', input: { number: 42 } } }],
  },
  { text: 'An order for exactly 100 pays for shipping. Let me look at the code.', tools: [{ read: 'shipping.mjs' }] },
  { text: 'The code requires more than 100. The check should catch that.', tools: [{ shell: 'node check.mjs' }] },
  {
    text: 'It does. An order for exactly 100 must ship free, too.',
    tools: [
      {
        write: {
          path: 'shipping.mjs',
          content: `/** What an order pays for shipping. */
export function shippingOf(total) {
  return total >= 100 ? 0 : 5;
}
`,
        },
      },
    ],
  },
  { text: 'Now the check again.', tools: [{ shell: 'node check.mjs' }] },
  { text: 'Ticket 42 is fixed: shipping is now free at exactly 100, too. The check passes.' },
];

export const modelScript: ModelScript = ({ toolResults }) => turns[toolResults.length];

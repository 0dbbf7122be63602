/**
 * The form of a review, as an agent writes it and the action `apply` reads it. Agents read the descriptions. It has
 * only keywords that every provider's structured output knows.
 */
export const severities = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

export const reviewVerdicts = ['approve', 'comment', 'request_changes'] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly end_line?: number | null;
  readonly side?: 'RIGHT' | 'LEFT' | null;
  readonly severity: Severity;
  readonly text: string;
  readonly suggestion?: string | null;
}

export interface ReviewAnswer {
  readonly summary: string;
  readonly verdict: ReviewVerdict;
  readonly findings: readonly Finding[];
}

export const reviewSchema = {
  type: 'object',
  required: ['summary', 'verdict', 'findings'],
  properties: {
    summary: { type: 'string', description: 'What the change does and what you think of it, in a few sentences.' },
    verdict: {
      enum: reviewVerdicts,
      description:
        '`request_changes` if a finding has to be fixed before the change is merged, otherwise `comment` or `approve`.',
    },
    findings: {
      type: 'array',
      description: 'The problems that you found, one entry each. Empty if there are none.',
      items: {
        type: 'object',
        required: ['path', 'line', 'severity', 'text'],
        properties: {
          path: {
            type: 'string',
            description: 'Path of the file from the root of the repository, such as src/main.c.',
          },
          line: { type: 'integer', minimum: 1, description: 'The first line, counted from 1.' },
          end_line: { type: ['integer', 'null'], description: 'The last line, if there is more than one.' },
          side: {
            enum: ['RIGHT', 'LEFT', null],
            description: '`LEFT` if the lines are numbered as before the change, for deleted lines. Otherwise `RIGHT`.',
          },
          severity: { enum: severities, description: 'How bad the problem is.' },
          text: { type: 'string', description: 'What is wrong, what it causes and how to fix it, in Markdown.' },
          suggestion: {
            type: ['string', 'null'],
            description:
              'New text for all lines from `line` to `end_line`, complete and with its indentation, only if it fixes the problem by itself.',
          },
        },
      },
    },
  },
} as const;

/** What may have started a run. A plain HTTP create is API. Programs name their source in `X-Agent-Run-Source`. */
export const runSources = [
  'API',
  'GITHUB_ACTION',
  'CLI',
  'SCHEDULED_AGENT',
  'WEB_APP',
  'LOCAL',
  'LINEAR',
  'SLACK',
  'JIRA',
  'CLOUD_MODE',
  'SELF_IMPROVEMENT',
  'GITHUB_WEBHOOK',
  'GITLAB_WEBHOOK',
  'AUTOFIX',
  'RUN_SCORER',
  'ORCHESTRATION',
] as const;

export type RunSource = (typeof runSources)[number];

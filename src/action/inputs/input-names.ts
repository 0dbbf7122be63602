export const inputNames = split(`
  prompt prompt_file skill_spec model_id environment_id name title base_prompt mcp_servers harness harness_version output_schema
  metadata base_url api_key ca_file allow_http command working_directory pass_env allow_script wait run_id cancel timeout_minutes
  queue_timeout_minutes stall_timeout_minutes on_timeout on_blocked rerun lease fail_on fail_when require_result log summary
  comment review comment_key github_token result_file annotations allow_bots require_permission event_context
  on_missing_credentials matrix_context job_index
`);

export const applyInputNames = split(`
  result result_file github_token dry_run commit number key review review_max_comments review_min_severity review_paths
  review_verdicts comment labels labels_allowed labels_max pull_request pull_request_branch pull_request_base
  pull_request_draft pull_request_labels pull_request_reviewers push patch_file changes_allow_paths changes_max_files
  changes_max_bytes
`);

/** Model keys. Here they are variables of the step with the same name in capitals. */
export const keyInputs = split('anthropic_api_key claude_code_oauth_token openai-api-key gemini_api_key');

/** `=` names our replacement, with its value for `true`. See docs/coming-from-another-action.md. */
export const peerInputs: Readonly<Record<string, readonly string[]>> = {
  'anthropics/claude-code-action': split(`
    prompt direct_prompt=prompt override_prompt=prompt custom_instructions=base_prompt claude_args settings mode
    model=model_id anthropic_model=model_id fallback_model max_turns timeout_minutes allowed_tools disallowed_tools
    mcp_config=mcp_servers claude_env=pass_env anthropic_api_key claude_code_oauth_token use_bedrock use_vertex
    use_foundry anthropic_federation_rule_id anthropic_organization_id anthropic_service_account_id
    anthropic_workspace_id anthropic_oidc_audience trigger_phrase assignee_trigger label_trigger track_progress
    allowed_bots=allow_bots allowed_non_write_users=require_permission include_comments_by_actor
    exclude_comments_by_actor github_token additional_permissions use_sticky_comment=comment:'on'
    classify_inline_comments include_fix_links base_branch branch_prefix branch_name_template use_commit_signing
    ssh_signing_key bot_id bot_name display_report=summary show_full_output=log:full plugins plugin_marketplaces
    path_to_claude_code_executable path_to_bun_executable
  `),
  'openai/codex-action': split(`
    prompt prompt-file=prompt_file output-file=result_file output-schema=output_schema model=model_id effort
    output-schema-file=output_schema codex-args openai-api-key responses-api-endpoint sandbox permission-profile
    working-directory=working_directory safety-strategy codex-user codex-version=harness_version codex-home
    allow-users=require_permission allow-bots=allow_bots allow-bot-users=allow_bots
  `),
  'google-github-actions/run-gemini-cli': split(`
    prompt gemini_model=model_id settings extensions gemini_api_key google_api_key gemini_cli_version=harness_version
    gemini_debug=log:full gcp_location gcp_project_id gcp_service_account gcp_workload_identity_provider gcp_token_format
    gcp_access_token_scopes use_gemini_code_assist use_vertex_ai upload_artifacts use_pnpm workflow_name
    github_pr_number github_issue_number
  `),
};

/** Those for which the page names no replacement. */
export const unreplacedInputs = split(`
  include_comments_by_actor exclude_comments_by_actor classify_inline_comments include_fix_links fallback_model effort
  codex-args codex-home use_pnpm workflow_name github_pr_number github_issue_number
`);

/** Flags of `claude_args` and our inputs for them. */
export const claudeFlags: Readonly<Record<string, string>> = {
  '--model': 'model_id',
  '--mcp-config': 'mcp_servers',
  '--json-schema': 'output_schema',
  '--append-system-prompt': 'base_prompt',
  '--system-prompt': 'base_prompt',
};

function split(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

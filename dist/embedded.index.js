// src/action/embedded/choose-harnesses.ts
// src/action/embedded/direct-fetch.ts
// src/action/embedded/embedded.ts
// src/action/embedded/parse-command.ts
// src/action/embedded/step-agents.ts
// src/base/network/request-headers.ts
// src/base/process/folder-fault.ts
// src/base/process/folder-lock.ts
// src/base/process/sibling-program.ts
// src/base/turns.ts
// src/base/wording/artifact-words.ts
// src/border/last-document.ts
// src/border/sliced-redaction.ts
// src/contract/agents.ts
// src/contract/artifacts.ts
// src/contract/config.ts
// src/contract/create.ts
// src/contract/environments.ts
// src/contract/events.ts
// src/contract/list-query.ts
// src/contract/mcp-secrets.ts
// src/contract/page.ts
// src/contract/problem.ts
// src/contract/redirects.ts
// src/contract/run.ts
// src/contract/tables/error-codes.ts
// src/contract/tables/source.ts
// src/server/changes/kept-changes.ts
// src/server/changes/patch-file.ts
// src/server/changes/pull-request.ts
// src/server/changes/workspace-changes.ts
// src/server/changes/workspace-publish.ts
// src/server/changes/workspace-repositories.ts
// src/server/changes/workspace-tree.ts
// src/server/config/complete-config.ts
// src/server/config/config-file.ts
// src/server/config/config-schema.ts
// src/server/config/container-schema.ts
// src/server/config/container-settings.ts
// src/server/config/environment-schema.ts
// src/server/config/environment-settings.ts
// src/server/config/fault-text.ts
// src/server/config/harness-schema.ts
// src/server/config/harness-settings.ts
// src/server/config/server-config.ts
// src/server/config/skill-schema.ts
// src/server/config/skill-settings.ts
// src/server/config/tls-files.ts
// src/server/config/workspace-folder.ts
// src/server/connections.ts
// src/server/dispatch/local-dispatcher.ts
// src/server/doctor/container-check.ts
// src/server/doctor/doctor.ts
// src/server/doctor/endpoint-check.ts
// src/server/doctor/environment-check.ts
// src/server/doctor/machine-check.ts
// src/server/doctor/model-question.ts
// src/server/doctor/program-check.ts
// src/server/doctor/skill-check.ts
// src/server/environments/checkout.ts
// src/server/environments/environment.ts
// src/server/environments/github-app.ts
// src/server/environments/github-request.ts
// src/server/environments/repository-address.ts
// src/server/error-text.ts
// src/server/executor/cleanup/containment.ts
// src/server/executor/cleanup/descendants.ts
// src/server/executor/cleanup/marker.ts
// src/server/executor/cleanup/namespace-probe.ts
// src/server/executor/cleanup/process-table.ts
// src/server/executor/cleanup/ready-namespace.ts
// src/server/executor/cleanup/run-namespace.ts
// src/server/executor/cleanup/run-processes.ts
// src/server/executor/cleanup/sweep.ts
// src/server/executor/cleanup/watchdog-link.ts
// src/server/executor/cleanup/watchdog-orders.ts
// src/server/executor/containers/container-client.ts
// src/server/executor/containers/container-command.ts
// src/server/executor/containers/container-end.ts
// src/server/executor/containers/container-engine.ts
// src/server/executor/containers/container-executor.ts
// src/server/executor/containers/container-removal.ts
// src/server/executor/containers/container-run.ts
// src/server/executor/containers/engine-probe.ts
// src/server/executor/executor.ts
// src/server/executor/output-readers.ts
// src/server/executor/pipe-stock.ts
// src/server/executor/process-executor.ts
// src/server/executor/process-run.ts
// src/server/executor/program-file.ts
// src/server/executor/program-limits.ts
// src/server/executor/program-pipes.ts
// src/server/executor/program-start.ts
// src/server/executor/server-executor.ts
// src/server/executor/spawning/namespace-keeper.ts
// src/server/executor/spawning/spawner-link.ts
// src/server/executor/spawning/spawner-orders.ts
// src/server/executor/spawning/spawner.ts
// src/server/executor/start-failure.ts
// src/server/executor/stop-watch.ts
// src/server/harness/agents/adapter.ts
// src/server/harness/agents/agent-fault.ts
// src/server/harness/agents/agent-harness.ts
// src/server/harness/agents/agent-redactor.ts
// src/server/harness/agents/agent-table.ts
// src/server/harness/agents/agents-folder.ts
// src/server/harness/agents/builtin/builtin-reader.ts
// src/server/harness/agents/builtin/builtin.ts
// src/server/harness/agents/claude/claude-fault.ts
// src/server/harness/agents/claude/claude-launch.ts
// src/server/harness/agents/claude/claude-reader.ts
// src/server/harness/agents/claude/claude-usage.ts
// src/server/harness/agents/claude/claude.ts
// src/server/harness/agents/codex/codex-fault.ts
// src/server/harness/agents/codex/codex-items.ts
// src/server/harness/agents/codex/codex-launch.ts
// src/server/harness/agents/codex/codex-reader.ts
// src/server/harness/agents/codex/codex.ts
// src/server/harness/agents/codex/session-log.ts
// src/server/harness/agents/codex/toml.ts
// src/server/harness/agents/event-parts.ts
// src/server/harness/agents/event-reading.ts
// src/server/harness/agents/gemini/gemini-faults.ts
// src/server/harness/agents/gemini/gemini-launch.ts
// src/server/harness/agents/gemini/gemini-reader.ts
// src/server/harness/agents/gemini/gemini.ts
// src/server/harness/agents/in-container.ts
// src/server/harness/agents/install/install-agent.ts
// src/server/harness/agents/install/npm.ts
// src/server/harness/agents/install/package-hashes.ts
// src/server/harness/agents/install/provide-agent.ts
// src/server/harness/agents/mcp-check.ts
// src/server/harness/agents/opencode/opencode-faults.ts
// src/server/harness/agents/opencode/opencode-launch.ts
// src/server/harness/agents/opencode/opencode-plugin.ts
// src/server/harness/agents/opencode/opencode-reader.ts
// src/server/harness/agents/opencode/opencode-usage.ts
// src/server/harness/agents/opencode/opencode.ts
// src/server/harness/agents/program-version.ts
// src/server/harness/agents/programs.ts
// src/server/harness/agents/remove-agent.ts
// src/server/harness/agents/state-files.ts
// src/server/harness/command-harness.ts
// src/server/harness/ending-text.ts
// src/server/harness/harness-set.ts
// src/server/harness/harness.ts
// src/server/harness/mcp-servers.ts
// src/server/harness/mcp-variables.ts
// src/server/harness/missing-programs.ts
// src/server/harness/run-redactor.ts
// src/server/harness/script-harness.ts
// src/server/http/agent-routes.ts
// src/server/http/app.ts
// src/server/http/artifact-routes.ts
// src/server/http/environment-routes.ts
// src/server/http/event-page.ts
// src/server/http/event-routes.ts
// src/server/http/event-stream.ts
// src/server/http/key-ring.ts
// src/server/http/media-preference.ts
// src/server/http/openapi/openapi-examples.ts
// src/server/http/openapi/openapi-schemas.ts
// src/server/http/openapi/openapi.ts
// src/server/http/pages.ts
// src/server/http/problem-response.ts
// src/server/http/redirect-routes.ts
// src/server/http/request-body.ts
// src/server/http/request-middleware.ts
// src/server/http/runs/conversation.ts
// src/server/http/runs/create-run.ts
// src/server/http/runs/followup-route.ts
// src/server/http/runs/list-runs.ts
// src/server/http/runs/resolve-config.ts
// src/server/http/runs/run-routes.ts
// src/server/http/runs/run-view.ts
// src/server/http/runs/run-waiters.ts
// src/server/http/runs/unknown-members.ts
// src/server/http/runs/wait-preference.ts
// src/server/http/signed-links.ts
// src/server/index.ts
// src/server/listen.ts
// src/server/log.ts
// src/server/low-memory.ts
// src/server/output/event-buffer.ts
// src/server/output/event-lines.ts
// src/server/output/event-size.ts
// src/server/output/event-writer.ts
// src/server/output/nul.ts
// src/server/output/output-divider.ts
// src/server/output/output-tail.ts
// src/server/output/redacted-output.ts
// src/server/output/result-file.ts
// src/server/output/result-tail.ts
// src/server/output/result-text.ts
// src/server/output/text-tail.ts
// src/server/output/usage-sum.ts
// src/server/run-containment.ts
// src/server/run-failure.ts
// src/server/schema/output-schema.ts
// src/server/schema/schema-thread.ts
// src/server/server.ts
// src/server/skills/environment-skills.ts
// src/server/skills/github-fault.ts
// src/server/skills/github-skills.ts
// src/server/skills/github-tree.ts
// src/server/skills/skill-file.ts
// src/server/skills/skill-folders.ts
// src/server/skills/skill-list.ts
// src/server/skills/skill-placeholders.ts
// src/server/skills/skill-search.ts
// src/server/skills/skill-source.ts
// src/server/store/data-folder.ts
// src/server/store/data-lock.ts
// src/server/store/fit-result.ts
// src/server/store/sqlite/insert-row.ts
// src/server/store/sqlite/lists/list-filters.ts
// src/server/store/sqlite/lists/list-order.ts
// src/server/store/sqlite/lists/run-list.ts
// src/server/store/sqlite/migrations.ts
// src/server/store/sqlite/run-claims.ts
// src/server/store/sqlite/run-creation.ts
// src/server/store/sqlite/run-endings.ts
// src/server/store/sqlite/run-followups.ts
// src/server/store/sqlite/run-moves.ts
// src/server/store/sqlite/run-rows.ts
// src/server/store/sqlite/run-upkeep.ts
// src/server/store/sqlite/sqlite-database.ts
// src/server/store/sqlite/sqlite-store.ts
// src/server/store/sqlite/writer-queue.ts
// src/server/store/store.ts
// src/server/store/write-fault.ts
// src/server/worker/artifact-files.ts
// src/server/worker/bounded-work.ts
// src/server/worker/claim-watch.ts
// src/server/worker/late-work.ts
// src/server/worker/run-artifacts.ts
// src/server/worker/run-changes.ts
// src/server/worker/run-context.ts
// src/server/worker/run-conversation.ts
// src/server/worker/run-ending.ts
// src/server/worker/run-finish.ts
// src/server/worker/run-programs.ts
// src/server/worker/run-setup.ts
// src/server/worker/run-work.ts
// src/server/worker/turns/agent-turn.ts
// src/server/worker/turns/agent-watch.ts
// src/server/worker/turns/mcp-startup.ts
// src/server/worker/turns/run-task.ts
// src/server/worker/turns/run-turns.ts
// src/server/worker/worker.ts
// src/server/worker/workspace.ts
// src/server/workspace/agent-environment.ts
// src/server/workspace/environment-clone.ts
// src/server/workspace/environment-setup.ts
// src/server/workspace/git-host.ts
// src/server/workspace/left-behind.ts
// src/server/workspace/run-container.ts
// src/server/workspace/run-folder.ts
// src/server/workspace/run-git.ts
// src/server/workspace/tree-copy.ts
// src/web/error-pages.ts
// src/web/home-page.ts
// src/web/html-document.ts
// src/web/index.ts
// src/web/link.ts
// src/web/live-script.ts
// src/web/long-text.ts
// src/web/run-events.ts
// src/web/run-head.ts
// src/web/run-left.ts
// src/web/run-page.ts
// src/web/state-badge.ts
// src/web/style.ts
// src/web/time-text.ts
export const id = 106;
export const ids = [106,51,651];
export const modules = {

/***/ 2106:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openEmbedded: () => (/* binding */ openEmbedded)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/js/base/secret-variables.js
var secret_variables = __webpack_require__(1960);
// EXTERNAL MODULE: ./build/js/border/folders.js
var folders = __webpack_require__(9416);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 2 modules
var schemas = __webpack_require__(8343);
// EXTERNAL MODULE: ./build/js/contract/tables/sizes.js
var sizes = __webpack_require__(4249);
;// CONCATENATED MODULE: ./build/js/server/config/environment-schema.js

const variableName = schemas/* string */.YjP()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .refine(name => !name.startsWith('AGENT_RUN_'), 'must not start with AGENT_RUN_, which is reserved for the service');
/** As in `docker pull`. It can never be read as an option. */
const imageName = schemas/* string */.YjP()
    .regex(/^[a-z0-9][A-Za-z0-9._/:@-]{0,254}$/, 'must be an image name, such as node:24 or ghcr.io/octo-org/tools:1');
const repositorySchema = schemas/* strictObject */.rej({
    url: schemas/* string */.YjP().min(1).describe('`owner/repo` on github.com, or a URL: https, http without a token, file'),
    ref: schemas/* string */.YjP()
        .min(1)
        .optional()
        .describe("Branch, tag, full ref or commit; the repository's default branch if omitted"),
    path: schemas/* string */.YjP().min(1).optional().describe('Folder below the workspace'),
    depth: schemas/* int */.Whr()
        .min(0)
        .max(1_000_000)
        .default(1)
        .describe('Number of commits to clone; 0 clones the full history and all branches as `origin/BRANCH`'),
});
const environmentSchema = schemas/* strictObject */.rej({
    description: schemas/* string */.YjP().max(240).optional().describe('One-line description for people'),
    repositories: schemas/* array */.YOg(schemas/* preprocess */.vkY(entry => (typeof entry === 'string' ? { url: entry } : entry), repositorySchema))
        .default([])
        .describe('`owner/repo` on github.com, or `url` with `ref`, `path`, `depth`'),
    setup: schemas/* array */.YOg(schemas/* string */.YjP().min(1)).default([]).describe('Bash commands to run before the agent'),
    env: schemas/* array */.YOg(variableName).default([]).describe("The server's variables to pass to setup commands and the agent"),
    docker_image: imageName.optional().describe('Container image for setup commands and the agent'),
    publish: schemas/* enum */.k5n(['none', 'branch', 'pull_request']).default('none').describe('`none`, `branch` or `pull_request`'),
    publish_base: schemas/* string */.YjP().min(1).optional().describe('Base branch of pull requests'),
});
const environmentsSchema = schemas/* record */.g1P(schemas/* string */.YjP().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must have only letters, digits, ".", "_" and "-"'), environmentSchema);
const gitSchema = schemas/* strictObject */.rej({
    hosts: schemas/* record */.g1P(schemas/* string */.YjP().regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name in lowercase, such as github.com'), schemas/* strictObject */.rej({
        token: variableName.optional().describe("Variable that holds this host's token"),
        app: schemas/* strictObject */.rej({
            id: schemas/* int */.Whr().min(1).describe('App ID, from the settings page of the App'),
            private_key: variableName.describe('Variable that holds a private key of the App, in PEM'),
        })
            .optional(),
        api_url: schemas/* url */.OZ5({ protocol: /^https?$/ })
            .optional()
            .describe('API root for pull requests and tokens of an App'),
    })
        .refine(({ token, app }) => (token === undefined) !== (app === undefined), 'must have either `token` or `app`'))
        .default({}),
});

;// CONCATENATED MODULE: ./build/js/server/config/container-schema.js


const dockerSchema = schemas/* strictObject */.rej({
    command: schemas/* string */.YjP().min(1).optional().describe('Path or name of the container program'),
    image: imageName.optional().describe('Image for runs whose environment does not set one'),
    network: schemas/* string */.YjP()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._:=,-]*$/, 'must be a network name, such as bridge, host or none')
        .optional()
        .describe('`--network`'),
    memory_mb: schemas/* int */.Whr().min(16).optional().describe('Memory of a container in MiB, without swap'),
    processes: schemas/* int */.Whr().min(1).optional().describe('Maximum number of processes and threads in a container'),
    cpus: schemas/* number */.aig().positive().optional().describe('CPUs of a container'),
});

;// CONCATENATED MODULE: ./build/js/server/harness/agents/adapter.js
const modelApis = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

;// CONCATENATED MODULE: ./build/js/server/config/harness-schema.js


const agentKinds = ['builtin', 'claude', 'codex', 'gemini', 'opencode'];
const harness_schema_variableName = schemas/* string */.YjP().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
const endpointSchema = schemas/* strictObject */.rej({
    url: schemas/* url */.OZ5({ protocol: /^https?$/ })
        .optional()
        .describe('Base URL, without `/v1`'),
    api: schemas/* enum */.k5n(modelApis)
        .optional()
        .describe('`openai-chat`, `openai-responses`, `anthropic` or `gemini`; required for `builtin` and `opencode`'),
    key: harness_schema_variableName
        .optional()
        .describe("Variable that holds the key; without `url`, it defaults to the provider's, such as ANTHROPIC_API_KEY"),
    headers: schemas/* record */.g1P(schemas/* string */.YjP(), harness_schema_variableName.describe('Variable that holds the value of header NAME, sent with every request'))
        .optional(),
});
/** A custom harness: a program or an agent. */
const harnessEntrySchema = schemas/* strictObject */.rej({
    command: schemas/* tuple */.PVZ([schemas/* string */.YjP().min(1)], schemas/* string */.YjP())
        .optional()
        .describe('Program and arguments'),
    agent: schemas/* enum */.k5n(agentKinds).optional().describe('`builtin`, `claude`, `codex`, `gemini` or `opencode`'),
    endpoint: endpointSchema.optional(),
    model: schemas/* string */.YjP().min(1).optional().describe('Default model; required for an agent'),
    models: schemas/* array */.YOg(schemas/* string */.YjP().min(1)).min(1).optional().describe('Models that a run can choose'),
    program: schemas/* string */.YjP().min(1).optional().describe("Path or name of the agent's program"),
    steps: schemas/* int */.Whr().min(1).optional().describe('Maximum number of model answers in a run'),
    stall_minutes: schemas/* number */.aig().positive().optional().describe('Maximum time without output while no tool runs'),
    env: schemas/* array */.YOg(harness_schema_variableName.refine(name => !name.startsWith('AGENT_RUN_'), 'must not start with AGENT_RUN_, which is reserved for the service'))
        .default([])
        .describe("The server's variables to pass to it"),
})
    .superRefine((entry, context) => {
    if (entry.command === undefined)
        return;
    for (const name of ['agent', 'endpoint', 'model', 'models', 'program', 'steps', 'stall_minutes'])
        if (entry[name] !== undefined)
            context.addIssue({
                code: 'custom',
                path: [name],
                message: 'applies to agents only, and this harness has a `command`; remove one of the two',
            });
});

;// CONCATENATED MODULE: ./build/js/server/config/skill-schema.js


const skillsSchema = schemas/* strictObject */.rej({
    repositories: schemas/* record */.g1P(schemas/* string */.YjP().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, 'must be owner/repo, such as octo-org/shop'), schemas/* string */.YjP().describe('Folder with a checkout of `owner/repo`'))
        .default({}),
    github: schemas/* strictObject */.rej({
        repositories: schemas/* array */.YOg(schemas/* string */.YjP()
            .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/(\*|(?!\.{1,2}$)[A-Za-z0-9._-]+)$/, 'must be owner/repo or owner/*, such as octo-org/shop or octo-org/*'))
            .describe('`owner/repo`, or `owner/*` for all'),
        token: variableName
            .optional()
            .describe("Variable that holds a read-only token; by default, the host's token under `git.hosts`"),
        url: schemas/* url */.OZ5({ protocol: /^https?$/ })
            .default('https://github.com')
            .describe('Address of the host, such as a GitHub Enterprise Server'),
    })
        .optional(),
});

;// CONCATENATED MODULE: ./build/js/server/config/config-schema.js






const positive = schemas/* number */.aig().positive();
const limitsSchema = schemas/* strictObject */.rej({
    concurrency: schemas/* int */.Whr().min(1).max(1000).default(4).describe('Runs at the same time, up to 1000; 1 with a `workspace`'),
    run_minutes: positive.default(60).describe('Time limit of a run; the run then ends FAILED'),
    grace_seconds: positive.default(5).describe('Time from SIGTERM to SIGKILL'),
    drain_seconds: schemas/* number */.aig().min(0).default(30).describe('Time a stopping server waits for its runs'),
    min_lease_seconds: positive.default(sizes/* sizes */.L.leaseSecondsMin).describe('Shortest `lease_seconds`'),
    keep_workspace_minutes: schemas/* number */.aig().min(0).default(0).describe('Time a workspace is kept after its run ends'),
    keep_conversation_minutes: schemas/* number */.aig()
        .min(0)
        .default(60)
        .describe('Time a conversation and its workspace are kept after its last run'),
    log_bytes: schemas/* int */.Whr().min(1024).default(sizes/* sizes */.L.logBytes).describe('Maximum size of all log events of a run'),
    body_bytes: schemas/* int */.Whr().min(1024).default(sizes/* sizes */.L.bodyBytes).describe('Maximum size of a request body'),
    memory_mb: schemas/* int */.Whr().min(16).optional().describe('Maximum memory of one process, in MiB'),
    processes: schemas/* int */.Whr().min(1).optional().describe('Maximum processes and threads; not on a server that runs as root'),
    file_mb: schemas/* int */.Whr().min(1).optional().describe('Maximum size of one file, in MiB'),
});
/** The file `agent-run.yaml`. docs/server.md prints it. */
const configFileSchema = schemas/* strictObject */.rej({
    public_url: schemas/* url */.OZ5({ protocol: /^https?$/ })
        .optional()
        .describe('Base URL for links to this server'),
    host: schemas/* string */.YjP().min(1).optional().describe('Address to listen on'),
    port: schemas/* int */.Whr().min(0).max(65_535).optional().describe('Port to listen on; 0 picks a free one'),
    data: schemas/* string */.YjP().min(1).optional().describe('Data folder'),
    workspace: schemas/* string */.YjP().min(1).optional().describe('[Shared working directory of all runs](#one-folder-for-all-runs)'),
    containment: schemas/* enum */.k5n(['auto', 'pid_namespace', 'bubblewrap', 'process_group'])
        .default('auto')
        .optional()
        .describe('`auto`, `pid_namespace`, `bubblewrap` or `process_group`'),
    behind_proxy: schemas/* boolean */.zMY().optional().describe('A proxy in front terminates TLS'),
    tls: schemas/* strictObject */.rej({
        cert: schemas/* string */.YjP().describe('PEM file with the certificate chain'),
        key: schemas/* string */.YjP().describe('PEM file with its private key'),
    })
        .optional(),
    harnesses: schemas/* object */.Ikc({
        default: schemas/* string */.YjP().optional().describe('Harness for runs that do not name one; required with several harnesses'),
        script: schemas/* strictObject */.rej({})
            .nullable()
            .optional()
            .describe('`{}` turns it on: anyone with a key can then run commands as the server'),
    })
        .catchall(harnessEntrySchema)
        .optional(),
    environments: environmentsSchema.optional(),
    docker: dockerSchema.optional(),
    git: gitSchema.optional(),
    skills: skillsSchema.optional(),
    limits: limitsSchema.partial().optional(),
});
/** How long the workspace of a run is kept after its end, for the next run of the conversation. */
function keptMinutes(config, limits) {
    return Math.min(config.idle_timeout_minutes ?? Infinity, limits.keep_conversation_minutes);
}
/** Invalid settings. The message lists all of them, one per line. */
class config_schema_ConfigError extends Error {
    name = 'ConfigError';
    faults;
    constructor(faults) {
        super(faults.join('\n'));
        this.faults = faults;
    }
}

// EXTERNAL MODULE: ./build/js/base/network/loopback.js
var loopback = __webpack_require__(4270);
// EXTERNAL MODULE: ./build/js/base/variable-name.js
var variable_name = __webpack_require__(922);
// EXTERNAL MODULE: ./build/js/base/wording/nearest.js
var nearest = __webpack_require__(191);
;// CONCATENATED MODULE: ./build/js/server/executor/program-file.js


/** The absolute path of a program on a PATH. Relative entries are skipped: they would mean another folder later. */
function program_file_findProgram(name, searchPath) {
    const folders = searchPath.split(external_node_path_.delimiter).filter(external_node_path_.isAbsolute);
    return folders.map(folder => (0,external_node_path_.join)(folder, name)).find(program_file_isProgram);
}
/** Whether a path leads to a file that may be executed. */
function program_file_isProgram(path) {
    try {
        (0,external_node_fs_.accessSync)(path, external_node_fs_.constants.X_OK);
        return (0,external_node_fs_.statSync)(path).isFile();
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/programs.js
/** By the name of the agent, which is also that of its program. */
const programs_agentPrograms = {
    claude: {
        title: 'Claude Code',
        package: '@anthropic-ai/claude-code',
        version: '2.1.332',
        file: 'bin/claude.exe',
        setup: 'install.cjs',
        licence: 'proprietary, https://code.claude.com/docs/en/legal-and-compliance',
        megabytes: 390,
    },
    codex: {
        title: 'Codex',
        package: '@openai/codex',
        version: '0.171.0',
        file: 'bin/codex.js',
        licence: 'Apache-2.0',
        megabytes: 430,
    },
    gemini: {
        title: 'Gemini CLI',
        package: '@google/gemini-cli',
        version: '0.61.0',
        file: 'bundle/gemini.js',
        licence: 'Apache-2.0',
        megabytes: 100,
    },
    opencode: {
        title: 'opencode',
        package: 'opencode-ai',
        version: '1.18.33',
        file: 'bin/opencode.exe',
        setup: 'postinstall.mjs',
        licence: 'MIT',
        megabytes: 360,
    },
};
function programs_isAgentProgramName(name) {
    return Object.hasOwn(programs_agentPrograms, name);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/agents-folder.js
/**
 * The folder that `npx agent-run agents install` installs into and where the server finds programs: NAME@VERSION for
 * each. A folder appears there only when it is complete.
 */




/**
 * Where agents are installed: AGENT_RUN_AGENTS, otherwise a folder in the user's home. `cwd` is the base of a
 * relative path.
 */
function locateAgentsFolder(env, cwd) {
    const named = env.AGENT_RUN_AGENTS?.trim();
    if (named)
        return (0,external_node_path_.resolve)(cwd, named);
    return (0,external_node_path_.join)(env.HOME?.trim() || (0,external_node_os_.homedir)(), '.agent-run', 'agents');
}
function locateProgramFolder(agentsFolder, name, { version }) {
    return (0,external_node_path_.join)(agentsFolder, `${name}@${version}`);
}
/** The start of its command line. `folder` is the program's folder. */
function commandIn(folder, { package: packageName, file }) {
    const path = (0,external_node_path_.join)(folder, 'node_modules', packageName, file);
    // Not by its shebang, which uses the Node on the PATH.
    return /\.[cm]?js$/.test(file) ? [process.execPath, path] : [path];
}
/**
 * The program of an agent: the configured one, otherwise the one installed for agent-run, otherwise the one on the
 * PATH.
 */
async function agents_folder_findAgentProgram(name, { program, agentsFolder, version, searchPath }) {
    if (program !== undefined) {
        const file = (0,external_node_path_.isAbsolute)(program) ? program : program_file_findProgram(program, searchPath);
        if (file === undefined || !program_file_isProgram(file))
            return undefined;
        return { command: [file], place: 'setting', file };
    }
    if (agentsFolder !== undefined && programs_isAgentProgramName(name)) {
        const pinned = { ...programs_agentPrograms[name], ...(version && { version }) };
        const command = commandIn(locateProgramFolder(agentsFolder, name, pinned), pinned);
        const file = command.at(-1) ?? '';
        if (program_file_isProgram(file))
            return { command, place: 'agents_folder', file };
    }
    const file = program_file_findProgram(name, searchPath);
    return file === undefined ? undefined : { command: [file], place: 'path', file };
}
/** The end of a sentence about a missing program. `program` is the setting. */
function agents_folder_describeMissingAgent(title, name, program) {
    if (program !== undefined)
        return `needs the program ${program}, which ${(0,external_node_path_.isAbsolute)(program) ? 'does not exist' : 'is not on the PATH of the server'}. Install ${title} there, or change the setting \`program\``;
    const install = programs_isAgentProgramName(name) ? `Run \`npx agent-run agents install ${name}\`` : `Install ${title}`;
    return `needs the program ${name}, which is not on the PATH of the server. ${install}, or set its path as \`program\``;
}

// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(8815);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/json-schema-processors.js
var json_schema_processors = __webpack_require__(8439);
// EXTERNAL MODULE: ./build/js/base/json.js
var json = __webpack_require__(6910);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __webpack_require__(9199);
;// CONCATENATED MODULE: ./build/js/server/config/fault-text.js
/**
 * Describes an invalid value for people who write a configuration or a request. The validator's own sentences name
 * its types. Nearly all faults follow one rule: what the schema expects, and what was given.
 */




/** Finding words for a fault costs more than finding the fault, and a value can have one per member. */
const listedFaultsMax = 20;
/** Placeholder for issues without a message of their own. */
const noWords = '\0';
/** Returns the parsed value, or its first faults and the number of all. A schema's own message takes precedence. */
function checkValue(schema, value) {
    const parsed = schema.safeParse(value, { error: () => noWords });
    if (parsed.success)
        return { data: parsed.data };
    const { issues } = parsed.error;
    const faults = issues.slice(0, listedFaultsMax).flatMap(issue => listFaults(schema, value, issue));
    const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
    return { faults: faults.slice(0, listedFaultsMax), count };
}
function listFaults(schema, root, issue) {
    if (issue.code !== 'unrecognized_keys')
        return [{ path: issue.path, message: `${describeIssue(schema, root, issue)}${guessName(schema, issue.path)}` }];
    const object = schemaAt(schema, issue.path);
    const known = object instanceof schemas/* ZodObject */.bvH ? Object.keys(object.shape) : [];
    return issue.keys.slice(0, listedFaultsMax).map(key => ({
        path: [...issue.path, key],
        message: `unknown key${(0,nearest/* didYouMean */.au)(key, known)}${known.length === 0 ? '' : ` (known keys: ${known.join(', ')})`}`,
    }));
}
/** Guesses a known name where a map accepts both known and custom names, such as harnesses. */
function guessName(schema, path) {
    for (const [index, part] of path.entries()) {
        const object = schemaAt(schema, path.slice(0, index));
        if (!(object instanceof schemas/* ZodObject */.bvH) || object.def.catchall === undefined)
            continue;
        const known = Object.keys(object.shape);
        const guess = known.includes(String(part)) ? undefined : (0,nearest/* nearest */.pA)(String(part), known);
        if (guess !== undefined)
            return `. Did you mean "${guess}"?`;
    }
    return '';
}
function describeIssue(schema, root, issue) {
    if (issue.message !== noWords)
        return issue.message;
    const { path } = issue;
    const value = valueAt(root, path);
    if (issue.code === 'invalid_key')
        return `its name ${issue.issues.map(inner => describeIssue(schema, value, inner)).join(' and ')}`;
    if (issue.code === 'too_big' && issue.origin === 'string')
        return `must have at most ${issue.maximum} characters`;
    if (issue.code === 'too_big' && issue.origin === 'array')
        return `must have at most ${issue.maximum} entries`;
    if (issue.code === 'too_small' && issue.origin === 'string')
        return 'must not be empty';
    const taken = printSchema(schemaAt(schema, path));
    const words = Array.isArray(taken.enum) ? taken.enum.map(String) : undefined;
    const guess = words !== undefined && typeof value === 'string' ? (0,nearest/* didYouMean */.au)(value, words) : '';
    if (value === undefined)
        return `is missing; it must be ${describeTaken(taken)}`;
    return `must be ${describeTaken(taken)}, not ${describeValue(value, mayBeCredential(taken))}${guess}`;
}
function describeValue(value, hideText) {
    if (value === null)
        return 'null';
    if (typeof value === 'string')
        return hideText ? 'a string' : JSON.stringify((0,base_text/* ellipsis */.gO)(value, 60));
    if (typeof value === 'number' || typeof value === 'boolean')
        return String(value);
    return Array.isArray(value) ? 'a list' : 'an object';
}
/** A string in place of a list or an object may be a credential, and faults appear in logs. */
function mayBeCredential({ type, enum: words }) {
    return words === undefined && (type === undefined || type === 'array' || type === 'object');
}
function describeTaken({ type, enum: words, format, minimum, exclusiveMinimum, maximum }) {
    if (Array.isArray(words))
        return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
    if (type === 'array')
        return 'a list';
    if (type === 'object')
        return 'an object';
    if (type === 'boolean')
        return 'true or false';
    if (type === 'string')
        return format === 'uri' ? 'a URL that starts with http:// or https://' : 'a string';
    if (type !== 'number' && type !== 'integer')
        return 'a different kind of value';
    const kind = type === 'integer' ? 'a whole number' : 'a number';
    if (minimum === undefined && exclusiveMinimum === undefined)
        return kind;
    const hasMost = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
    if (exclusiveMinimum !== undefined)
        return `${kind} above ${exclusiveMinimum}${hasMost ? `, at most ${maximum}` : ''}`;
    return `${kind} from ${minimum}${hasMost ? ` to ${maximum}` : ''}`;
}
function printSchema(schema) {
    if (schema === undefined)
        return {};
    const printed = json_schema_processors/* toJSONSchema */.bl(schema, { io: 'input', unrepresentable: 'any' });
    return (0,json/* isObject */.Gv)(printed) ? printed : {};
}
function valueAt(root, path) {
    return path.reduce((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), root);
}
/** Finds the schema of a path, without its optional wrapper. */
function schemaAt(schema, path) {
    if (schema instanceof schemas/* ZodOptional */.IiU || schema instanceof schemas/* ZodNullable */.l1C || schema instanceof schemas/* ZodDefault */.XiL)
        return schemaAt(schema.unwrap(), path);
    // A short form that is transformed to the long one.
    if (schema instanceof schemas/* ZodPipe */.utH)
        return schemaAt(schema.def.out, path);
    const [first, ...rest] = path;
    if (first === undefined)
        return schema;
    const next = memberSchema(schema, first);
    return next === undefined ? undefined : schemaAt(next, rest);
}
function memberSchema(schema, key) {
    if (schema instanceof schemas/* ZodRecord */.b8S)
        return schema.valueType;
    if (schema instanceof schemas/* ZodArray */.naA)
        return schema.element;
    if (schema instanceof schemas/* ZodTuple */.y0Q)
        return schema.def.items[Number(key)] ?? schema.def.rest ?? undefined;
    if (schema instanceof schemas/* ZodObject */.bvH)
        return schema.shape[String(key)] ?? schema.def.catchall;
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/server/config/config-file.js



/** Parses a configuration file. Throws ConfigError with every fault: file, line, key and the nearest known key. */
function readConfigFile(text, fileName) {
    const lines = new dist/* LineCounter */.HN();
    const document = (0,dist/* parseDocument */.Tp)(text, { lineCounter: lines, prettyErrors: false });
    const placeOf = (offset) => {
        const { line, col } = lines.linePos(offset);
        return `${fileName}:${line}:${col}`;
    };
    if (document.errors.length > 0)
        throw new config_schema_ConfigError(document.errors.map(error => `${placeOf(error.pos[0])}: ${error.message}`));
    const place = (path) => [placeOf(offsetOf(document, path)), ...(path.length > 0 ? [path.join('.')] : [])].join(': ');
    const checked = checkValue(configFileSchema, document.toJS() ?? {});
    if ('data' in checked)
        return { settings: checked.data, place };
    const { faults, count } = checked;
    const listed = faults.map(({ path, message }) => `${place(path)}: ${path.length === 0 ? 'the file ' : ''}${message}`);
    const left = count - listed.length;
    throw new config_schema_ConfigError(left > 0 ? [...listed, `and ${left} more`] : listed);
}
/** The offset of the deepest existing node on `path`. */
function offsetOf(document, path) {
    let node = document.contents;
    let offset = rangeStart(node) ?? 0;
    for (const part of path) {
        const pair = isMap(node) ? node.items.find(item => keyText(item.key) === String(part)) : undefined;
        if (pair === undefined)
            break;
        offset = rangeStart(pair.key) ?? offset;
        node = pair.value;
    }
    return offset;
}
function isMap(node) {
    return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}
function rangeStart(node) {
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range))
        return undefined;
    const start = node.range[0];
    return typeof start === 'number' ? start : undefined;
}
function keyText(key) {
    return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : String(key);
}

;// CONCATENATED MODULE: ./build/js/server/config/container-settings.js
/** Resolves how containers are run. */

/** Variables that `docker` and `podman` use for their engine, settings, registry credentials and network. */
const clientVariables = [
    ...['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LANG'],
    ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH', 'DOCKER_API_VERSION'],
    ...['CONTAINER_HOST', 'CONTAINER_SSHKEY', 'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'REGISTRY_AUTH_FILE'],
    ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'],
    ...[
        'HTTPS_PROXY',
        'https_proxy',
        'HTTP_PROXY',
        'http_proxy',
        'NO_PROXY',
        'no_proxy',
        'SSL_CERT_FILE',
        'SSL_CERT_DIR',
    ],
];
/** `folder` is the base of a relative path with a slash. */
function readDockerConfig({ docker = {} }, { env, folder }) {
    const { command, image, network, memory_mb: memoryMb, processes, cpus } = docker;
    return {
        command: command?.includes('/') === true ? (0,external_node_path_.resolve)(folder, command) : command,
        image,
        settings: { network, memoryMb, processes, cpus },
        env: Object.fromEntries(clientVariables.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))),
    };
}
/** Whether any run of a server may use a container. */
function container_settings_usesContainers({ environments, docker, }) {
    return docker.image !== undefined || environments.some(({ image }) => image !== undefined);
}

;// CONCATENATED MODULE: ./build/js/server/environments/environment.js

const tokenOf = async ({ token }, ...asked) => typeof token === 'string' ? token : await token(...asked);
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const uidLength = 22;
/** 22 letters and digits, as in the public service. The same name has the same uid on every server. */
function makeEnvironmentUid(name) {
    let rest = BigInt(`0x${(0,external_node_crypto_.createHash)('sha256').update(`environment ${name}`).digest('hex')}`);
    let uid = '';
    for (let place = 0; place < uidLength; place += 1) {
        uid += digits[Number(rest % 62n)];
        rest /= 62n;
    }
    return uid;
}
function findEnvironment(environments, uidOrName) {
    return environments.find(({ uid }) => uid === uidOrName) ?? environments.find(({ name }) => name === uidOrName);
}
/** By `owner/repo`, ignoring case. */
function findRepository(environment, name) {
    return environment.repositories.find(repository => repository.name.toLowerCase() === name.toLowerCase());
}

;// CONCATENATED MODULE: ./build/js/server/environments/checkout.js

/** Forms that git refuses in a ref, and those with a special meaning in a fetch (`git check-ref-format`). */
const noRef = /^[-+/.]|^@$|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$|[\p{Cc} ~^:?*[\\]/u;
const commit = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;
/** True for the name of a branch or a tag, or a full ref. */
function isRef(text) {
    return text !== '' && text.length <= 255 && !noRef.test(text);
}
/**
 * Why the environment cannot check out what a run asks for, or undefined. An unknown repository is not an error: it
 * may only say where an event happened, and the environment decides what the run works on.
 */
function refuseCheckout(environment, { repository, ref, sha }) {
    const { name, repositories } = environment;
    const known = repositories.length === 0 ? 'none' : repositories.map(other => other.name).join(', ');
    if (repository === undefined && (ref ?? sha) !== undefined && repositories.length !== 1)
        return `${ref === undefined ? 'sha' : 'ref'}: needs \`repository\`, because the environment ${name} has ${repositories.length === 0 ? 'no repositories' : `several repositories: ${known}`}`;
    if (ref !== undefined && !isRef(ref))
        return `ref: must be a valid git branch or tag name, not ${JSON.stringify(ref)}`;
    return undefined;
}
/** The run's repository if the environment does not have it. Its ref and commit then do not apply to any other. */
function findForeign(environment, { repository }) {
    return repository === undefined || findRepository(environment, repository) !== undefined ? undefined : repository;
}
/** A run that names a repository without a ref or a commit gets the environment's revision. */
function checkout_chooseRevision(environment, repository, asked) {
    const own = asked?.repository === undefined ? environment.repositories[0] : findRepository(environment, asked.repository);
    const { ref, sha } = own === repository ? (asked ?? {}) : {};
    if ((ref ?? sha) !== undefined)
        return { ref, sha };
    return repository.ref !== undefined && commit.test(repository.ref)
        ? { ref: undefined, sha: repository.ref }
        : { ref: repository.ref, sha: undefined };
}

// EXTERNAL MODULE: ./build/js/base/clock.js
var base_clock = __webpack_require__(40);
// EXTERNAL MODULE: ./build/js/border/secrets.js
var border_secrets = __webpack_require__(9456);
// EXTERNAL MODULE: ./build/js/base/network/answer-race.js
var answer_race = __webpack_require__(5919);
// EXTERNAL MODULE: ./build/js/border/answers.js
var answers = __webpack_require__(654);
;// CONCATENATED MODULE: ./build/js/server/environments/github-request.js
/** Requests to the API of a git host with octokit, which is loaded on first use, and texts for failed answers. */






/** Limit for one attempt, in ms. GitHub itself gives up after ten seconds. */
const answerMs = 15_000;
/** Limit for a request with its retry and the waits for its turn and the rate limit, in ms. */
const totalMs = 120_000;
/** GitHub asks for a minute after too many writes at once. */
const quotaSecondsMax = 90;
const answerBytesMax = 8 * 1024 * 1024;
const silentLog = { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } };
/**
 * Loads octokit's classes for an API. A failed request is retried once, unless it has `retries: 0`. Write requests
 * are spaced out per API, as GitHub asks. `request.signal` ends all of it.
 */
async function loadOctokit(apiUrl) {
    const { App, Octokit } = await Promise.all(/* import() */[__webpack_require__.e(196), __webpack_require__.e(537)]).then(__webpack_require__.bind(__webpack_require__, 8537));
    // The last plugin is the outermost, so the signal ends the waits of all others.
    const Bounded = Octokit.plugin(({ hook }) => {
        hook.wrap('request', (request, { request: more = {}, ...options }) => {
            const signal = AbortSignal.any([
                AbortSignal.timeout(totalMs),
                ...(more.signal === undefined ? [] : [more.signal]),
            ]);
            return (0,answer_race/* unlessAborted */.W)(Promise.resolve(request({ ...options, request: { ...more, signal } })), signal);
        });
    });
    return {
        App,
        log: silentLog,
        Octokit: Bounded.defaults({
            baseUrl: apiUrl,
            userAgent: 'agent-run',
            request: { fetch: fetchHere },
            // `retries: 1` in a request would retry whatever the answer is.
            retry: { retries: 1, retryAfterBaseValue: 300 },
            throttle: { id: apiUrl, onRateLimit: waitForQuota, onSecondaryRateLimit: waitForQuota, retryAfterBaseValue: 0 },
            log: silentLog,
        }),
    };
}
/** Decides on a retry and waits here, because a signal does not end the plugin's own wait. */
async function waitForQuota(seconds, { request: { signal, retryCount }, }) {
    if (retryCount !== 0 || seconds > quotaSecondsMax)
        return false;
    await base_clock/* systemClock */.m.sleep(seconds * 1000, signal);
    return true;
}
/** A redirect would send the token to another address. */
async function fetchHere(url, init) {
    const signal = AbortSignal.any([AbortSignal.timeout(answerMs), ...(init.signal ? [init.signal] : [])]);
    const answer = await fetch(url, { ...init, signal, redirect: 'manual' });
    await (0,answers/* refuseRedirect */.Fg)(answer, 'and the token is not sent to another address; set `api_url` to the final address');
    return (0,answers/* bufferAnswer */.tE)(answer, answerBytesMax);
}
/** The answer does not contain the requested data. */
class NoAnswer extends Error {
    name = 'NoAnswer';
    constructor(what) {
        super(`answered with no ${what}`);
    }
}
function describeRedirect(error, apiUrl) {
    return (0,answers/* findRedirect */.Qi)(error)?.message.replace(/^it/, apiUrl);
}
/** The host's reason for a refusal, with the secret redacted; undefined if the host did not answer. */
function describeRefusal(error, redact) {
    const answer = readAnswer(error, redact);
    if (answer === undefined || answer.status >= 500)
        return undefined;
    const isForbidden = answer.status === 403 && /not accessible by/.test(answer.said);
    return `the host answered ${answer.status}${answer.said}${isForbidden ? '; the token needs `pull-requests: write`' : ''}`;
}
/** `https://api.github.com answered 502: Server Error`, with the secret redacted. */
function describeFault(error, { apiUrl, redact }) {
    const answer = readAnswer(error, redact);
    if (answer !== undefined)
        return `${apiUrl} answered ${answer.status}${answer.said}`;
    const inner = (0,cause/* findCause */.lO)(error);
    if (inner instanceof NoAnswer)
        return `${apiUrl} ${inner.message}`;
    const isLate = inner instanceof Error && inner.name === 'TimeoutError';
    return `${apiUrl} did not answer: ${isLate ? 'no answer in time' : redact((0,cause/* describeCause */.V$)(inner))}`;
}
function statusOf(error) {
    return (0,json/* isObject */.Gv)(error) && typeof error.status === 'number' && (0,json/* isObject */.Gv)(error.response) ? error.status : undefined;
}
function readAnswer(error, redact) {
    const status = statusOf(error);
    if (status === undefined || !(0,json/* isObject */.Gv)(error) || !(0,json/* isObject */.Gv)(error.response))
        return undefined;
    // An HTML page comes from a proxy, and its status is enough.
    const { message, errors } = (0,json/* isObject */.Gv)(error.response.data) ? error.response.data : {};
    const more = Array.isArray(errors) ? errors.map(describeDetail) : [];
    // Redact before cutting, which could leave a part of the secret.
    const said = redact([message, ...more].filter(text => typeof text === 'string' && text !== '').join('; '));
    return { status, said: said === '' ? '' : `: ${(0,base_text/* ellipsis */.gO)(said.replace(/\s+/g, ' '), 400)}` };
}
/**
 * GitHub describes some faults in words, others as a code: `{resource: "PullRequest", field: "base", code:
 * "invalid"}`.
 */
function describeDetail(fault) {
    if (typeof fault === 'string')
        return fault;
    if (!(0,json/* isObject */.Gv)(fault))
        return undefined;
    if (typeof fault.message === 'string')
        return fault.message;
    return [fault.field, fault.code].filter(text => typeof text === 'string').join(': ');
}

;// CONCATENATED MODULE: ./build/js/server/environments/github-app.js
/** Gets tokens from a GitHub App's host. Each is for one repository and lives for an hour. */



/** Minimum remaining life of a token that is handed out, because git may need it that long. */
const spareMs = 5 * 60_000;
/** Caches one token per repository and replaces it before it expires. */
function createAppTokens({ id, privateKey, apiUrl }) {
    const kept = new Map();
    return async (repository, signal) => {
        const known = kept.get(repository);
        if (known !== undefined && base_clock/* systemClock */.m.now() < known.expiresAt - spareMs)
            return known.token;
        try {
            const made = await makeToken({ id, privateKey, apiUrl }, repository, signal);
            kept.set(repository, made);
            return made.token;
        }
        catch (error) {
            signal.throwIfAborted();
            throw new Error(`GitHub App ${id} ${describeAppFault(error, { apiUrl, repository })}`, { cause: error });
        }
    };
}
async function makeToken({ id, privateKey, apiUrl }, repository, signal) {
    const { App, ...options } = await loadOctokit(apiUrl);
    // Octokit's `auth` is not used: it caches by installation, across Apps and hosts.
    const { apps } = new App({ appId: id, privateKey, ...options }).octokit.rest;
    const [owner = '', repo = ''] = repository.split('/');
    const request = { signal };
    const { data: installation } = await apps.getRepoInstallation({ owner, repo, request });
    const { data } = await apps.createInstallationAccessToken({
        installation_id: installation.id,
        repositories: [repo],
        request,
    });
    const expiresAt = Date.parse(data.expires_at);
    if (!/^[\x21-\x7e]+$/.test(data.token) || Number.isNaN(expiresAt))
        throw new NoAnswer('token');
    return { token: data.token, expiresAt };
}
/** Text after the name of the App. */
function describeAppFault(error, { apiUrl, repository }) {
    // A host may repeat the credential that the App sent.
    const refused = describeRefusal(error, border_secrets/* redactWebTokens */._M);
    // GitHub's message for an unknown App id.
    const isUnknown = refused !== undefined && /integration not found/i.test(refused);
    if (statusOf(error) === 401 || isUnknown)
        return `does not have this private key: ${refused}. Set \`id\` to the ID of the App, and \`private_key\` to the variable with a key of it`;
    if (statusOf(error) === 404)
        return `is not installed on ${repository}. Install it there, or add the repository to its installation`;
    const why = describeRedirect(error, apiUrl) ?? refused ?? describeFault(error, { apiUrl, redact: border_secrets/* redactWebTokens */._M });
    return `got no token for ${repository}: ${why}`;
}

;// CONCATENATED MODULE: ./build/js/server/environments/repository-address.js

/** An unsupported address. The message says why and what is supported. */
class AddressError extends Error {
    name = 'AddressError';
}
const shortForm = /^[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const part = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
/** Reads `owner/repo` on github.com, or an address. Throws AddressError, which never contains a credential. */
function readAddress(text) {
    if (shortForm.test(text))
        return {
            url: `https://github.com/${text.replace(/\.git$/, '')}.git`,
            host: 'github.com',
            name: text.replace(/\.git$/, ''),
        };
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === 'ssh:' || url?.protocol === 'git+ssh:' || /^[\w.-]+@[\w.-]+:/.test(text))
        throw new AddressError("must not be an SSH URL, because runs do not use the server's SSH keys; use the https URL and a token under git.hosts");
    if (url === undefined || !['https:', 'http:', 'file:'].includes(url.protocol))
        throw new AddressError('must be owner/repo or a URL that starts with https://, http:// or file:///');
    if (url.username !== '' || url.password !== '')
        throw new AddressError('must not contain a credential, which every run could read (its value is not shown); remove it, and name a variable with a token under git.hosts');
    if (url.search !== '' || url.hash !== '')
        throw new AddressError('must not contain "?" or "#"; remove that part');
    if (url.protocol === 'file:' && url.host !== '')
        throw new AddressError('must not name another machine; use file:/// and a folder on this one');
    const pieces = url.pathname.split('/').filter(piece => piece !== '');
    const last = pieces.pop()?.replace(/\.git$/, '') ?? '';
    const named = [...pieces, last].filter(piece => piece !== '').slice(-2);
    if (named.length === 0 || !named.every(piece => part.test(piece)))
        throw new AddressError('must end with the name of a repository, such as /octo-org/shop.git');
    return { url: url.href, host: url.host, name: named.join('/') };
}
/** Whether a token may be sent to an address: only if the transport is private. */
function isPrivate(url) {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || (protocol === 'http:' && (0,loopback/* isLoopback */.U)(hostname));
}

;// CONCATENATED MODULE: ./build/js/server/config/environment-settings.js
/** Resolves the environments of a configuration file and the hosts of their repositories. */






/** An invalid setting; the path is its place in the file. */
class EnvironmentSettingError extends Error {
    name = 'EnvironmentSettingError';
    path;
    constructor(path, message) {
        super(message);
        this.path = path;
    }
}
/** Variables that git needs for the network. Agents do not get them. */
const networkVariables = [
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'http_proxy',
    'ALL_PROXY',
    'all_proxy',
    'NO_PROXY',
    'no_proxy',
    'GIT_SSL_CAINFO',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
];
/** Throws EnvironmentSettingError. */
function readGitSettings({ git }, env) {
    const hosts = Object.entries(git?.hosts ?? {}).map(([host, { token, app, api_url }]) => {
        const path = ['git', 'hosts', host];
        const apiUrl = (api_url ?? (host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`)).replace(/\/+$/, '');
        const made = app === undefined
            ? readToken(env, token ?? '', [...path, 'token'], host)
            : createAppTokens({
                id: app.id,
                privateKey: readPrivateKey(env, app, [...path, 'app', 'private_key']),
                apiUrl,
            });
        if (!isPrivate(apiUrl))
            throw new EnvironmentSettingError([...path, 'api_url'], 'the token would be sent unencrypted; use an https:// URL');
        return [host, { token: made, apiUrl }];
    });
    return { hosts: Object.fromEntries(hosts), env: pick(env, networkVariables) };
}
/** Throws EnvironmentSettingError. */
function readToken(env, variable, path, host) {
    const token = env[variable];
    if (token === undefined)
        throw new EnvironmentSettingError(path, `${(0,variable_name/* describeUnsetVariable */.J)(variable)}; set it to the token for ${host}, or remove this setting`);
    if (!/^[\x21-\x7e]+$/.test(token))
        throw new EnvironmentSettingError(path, `the variable ${variable} contains spaces or other characters that a token cannot have (its value is not shown)`);
    return token;
}
/** GitHub's keys are RSA. Line ends may be written as `\n`, as in .env files. */
function readPrivateKey(env, { id, private_key: variable }, path) {
    const text = env[variable];
    if (text === undefined)
        throw new EnvironmentSettingError(path, `${(0,variable_name/* describeUnsetVariable */.J)(variable)}; set it to a private key of GitHub App ${id}, or remove the host`);
    try {
        const key = (0,external_node_crypto_.createPrivateKey)(text.replaceAll('\\n', '\n'));
        if (key.asymmetricKeyType === 'rsa')
            return key.export({ type: 'pkcs8', format: 'pem' }).toString();
    }
    catch {
        // The parser's own message may quote a part of the key.
    }
    throw new EnvironmentSettingError(path, `the variable ${variable} does not hold an RSA key in PEM (its value is not shown); set it to the whole text of the file that GitHub created`);
}
/** Throws EnvironmentSettingError. `updatedAt` is when the file was last changed, in ms. */
function readEnvironments(settings, { env, git, updatedAt }) {
    const entries = Object.entries(settings.environments ?? {});
    if (entries.length > 0 && settings.workspace !== undefined)
        throw new EnvironmentSettingError(['environments'], 'cannot be combined with `workspace`, the folder that all runs share; remove one of the two');
    const hosts = Object.values(settings.git?.hosts ?? {});
    const secrets = new Map([
        [settings.skills?.github?.token, 'the token of skills.github'],
        ...hosts.map(({ token }) => [token, 'the token of git.hosts']),
        ...hosts.map(({ app }) => [app?.private_key, 'the private key of git.hosts']),
    ]);
    return entries.map(([name, entry]) => {
        const fault = (path, message) => new EnvironmentSettingError(['environments', name, ...path], message);
        for (const [index, variable] of entry.env.entries())
            if (secrets.has(variable))
                throw fault(['env', index], `${variable} holds ${secrets.get(variable)}, which agents never get; give the agent a token of its own in another variable`);
        if (entry.publish_base !== undefined && !isRef(entry.publish_base))
            throw fault(['publish_base'], `must be a branch name, not ${JSON.stringify(entry.publish_base)}`);
        return {
            uid: makeEnvironmentUid(name),
            name,
            description: entry.description,
            repositories: readRepositories(entry, git, fault),
            setup: entry.setup,
            env: pick(env, entry.env),
            image: entry.docker_image,
            publish: entry.publish,
            publishBase: entry.publish_base,
            updatedAt,
        };
    });
}
function readRepositories(entry, { hosts }, fault) {
    const isOnly = entry.repositories.length === 1;
    const taken = [];
    for (const [index, { url: text, ref, path, depth }] of entry.repositories.entries()) {
        const at = ['repositories', index];
        const { url, host, name } = readAddressAt(text, [...at, 'url'], fault);
        const hasToken = hosts[host] !== undefined;
        if (hasToken && !isPrivate(url))
            throw fault([...at, 'url'], `the token for ${host} would be sent unencrypted; use the https:// URL`);
        if (entry.publish !== 'none' && !hasToken && (entry.publish === 'pull_request' || host !== ''))
            throw fault(['publish'], `\`${entry.publish}\` needs ${host === '' ? 'a host with a token, not a folder' : `a token for ${host}`}; set its variable in git.hosts`);
        if (entry.publish === 'pull_request' && !name.includes('/'))
            throw fault([...at, 'url'], `must include an owner for pull requests, as in https://${host}/octo-org/shop`);
        if (ref !== undefined && !isRef(ref))
            throw fault([...at, 'ref'], `must be the name of a branch or tag, not ${JSON.stringify(ref)}`);
        const folder = path ?? (isOnly ? '.' : name.slice(name.lastIndexOf('/') + 1));
        const where = [...at, 'path'];
        if (!isFolder(folder))
            throw fault(where, `must be a folder inside the workspace, such as libs/tools, not ${JSON.stringify(folder)}`);
        for (const other of taken) {
            if (other.name.toLowerCase() === name.toLowerCase())
                throw fault([...at, 'url'], `${name} is listed twice; remove one`);
            if (isWithin(folder, other.path) || isWithin(other.path, folder))
                throw fault(where, `the folder ${folder} overlaps with the folder of ${other.name}; choose another \`path\``);
        }
        taken.push({ name, url, ref, path: folder, depth });
    }
    return taken;
}
function readAddressAt(text, path, fault) {
    try {
        return readAddress(text);
    }
    catch (error) {
        if (!(error instanceof AddressError))
            throw error;
        throw fault(path, error.message);
    }
}
function isFolder(path) {
    if (path === '.')
        return true;
    return path.split('/').every(part => /^[A-Za-z0-9._-]+$/.test(part) && !/^(\.{1,2}|\.git)$/i.test(part));
}
/** Ignores case, as some file systems do. */
function isWithin(path, folder) {
    return folder === '.' || `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`);
}
function pick(env, names) {
    return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}

// EXTERNAL MODULE: ./build/js/base/network/request-headers.js
var request_headers = __webpack_require__(8817);
;// CONCATENATED MODULE: ./build/js/server/config/harness-settings.js
/** Resolves the harnesses of a configuration file. */





/** An invalid setting below `harnesses`; the path is relative to it. */
class HarnessSettingError extends Error {
    name = 'HarnessSettingError';
    path;
    constructor(path, message) {
        super(message);
        this.path = path;
    }
}
const openai = { root: 'https://api.openai.com', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' };
const providers = {
    'openai-chat': openai,
    'openai-responses': openai,
    anthropic: { root: 'https://api.anthropic.com', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
    gemini: {
        root: 'https://generativelanguage.googleapis.com',
        key: 'GEMINI_API_KEY',
        address: 'GOOGLE_GEMINI_BASE_URL',
    },
};
/** A token that `claude setup-token` makes. */
const oauthVariable = 'CLAUDE_CODE_OAUTH_TOKEN';
/** The API of agents that support only one. */
const usualApi = {
    claude: 'anthropic',
    codex: 'openai-responses',
    gemini: 'gemini',
};
/** Throws HarnessSettingError. `usual` is the harness of a run that names none. */
function readHarnessEntries({ default: _default, script, ...entries }, usual, surroundings) {
    const commands = {};
    const agents = {};
    for (const [name, entry] of Object.entries(entries)) {
        if (entry.command === undefined)
            agents[name] = readAgent(name, entry, surroundings);
        else {
            const [program, ...args] = entry.command;
            commands[name] = { argv: [place(program, surroundings), ...args], env: harness_settings_pick(surroundings.env, entry.env) };
        }
    }
    return { default: usual, script: script !== undefined, commands, agents };
}
/** The action and the agents' own programs read these variables, so people expect the same of the server. */
function findUnreadVariables({ default: _default, script: _script, ...entries }, agents = {}, env) {
    return Object.entries(agents).flatMap(([harness, { endpoint }]) => {
        const { url, key } = entries[harness]?.endpoint ?? {};
        const names = providers[endpoint.api];
        if (url === undefined && env[names.address] !== undefined) {
            const text = `${names.address} is set, but the server does not read it`;
            return [
                { harness, holds: 'address', text, remedy: `set endpoint.url (and endpoint.key) of the harness ${harness}` },
            ];
        }
        if (url === undefined || key !== undefined || env[names.key] === undefined)
            return [];
        const text = `${names.key} is set, but no key is sent to ${endpoint.root}`;
        return [{ harness, holds: 'key', text, remedy: `set endpoint.key of the harness ${harness}` }];
    });
}
function readAgent(name, entry, surroundings) {
    const kind = entry.agent ?? agentKinds.find(known => known === name);
    if (kind === undefined) {
        const kinds = agentKinds.join(', ');
        const guess = entry.agent === undefined ? (0,nearest/* nearest */.pA)(name, ['script', 'default', ...agentKinds]) : undefined;
        throw new HarnessSettingError([name], `${guess === undefined ? 'needs' : `did you mean the name "${guess}"? A harness with a name of its own needs`} \`command\` (a program) or \`agent\` (one of ${kinds})`);
    }
    if (entry.model === undefined)
        throw new HarnessSettingError([name, 'model'], 'is missing; set the model for runs that do not name one');
    return {
        kind,
        endpoint: readEndpoint(name, kind, entry, surroundings.env),
        model: entry.model,
        models: entry.models,
        program: entry.program === undefined ? undefined : place(entry.program, surroundings),
        agentsFolder: surroundings.agentsFolder,
        steps: entry.steps ?? 200,
        stallMs: (entry.stall_minutes ?? 10) * 60_000,
        env: harness_settings_pick(surroundings.env, entry.env),
    };
}
/** A key goes only to the address it belongs to: to the provider without `url`, otherwise only if `key` names it. */
function readEndpoint(name, kind, { endpoint = {} }, env) {
    const api = endpoint.api ?? usualApi[kind];
    if (api === undefined)
        throw new HarnessSettingError([name, 'endpoint', 'api'], `is missing; ${kind} supports several APIs: ${Object.keys(providers).join(', ')}`);
    const provider = providers[api];
    if (endpoint.key === oauthVariable && kind !== 'claude')
        throw new HarnessSettingError([name, 'endpoint', 'key'], `${oauthVariable} is a token for Claude Code only; use an API key`);
    const variable = endpoint.key ?? (endpoint.url === undefined ? provider.key : undefined);
    const apiKey = variable === undefined ? undefined : env[variable];
    if (variable !== undefined && apiKey === undefined)
        throw new HarnessSettingError([name, 'endpoint', 'key'], `${(0,variable_name/* describeUnsetVariable */.J)(variable)}; set it to the key for the model endpoint, or name another variable`);
    const { username, password } = new URL(endpoint.url ?? provider.root);
    // Addresses appear in messages of runs and in the log.
    if (`${username}${password}` !== '')
        throw new HarnessSettingError([name, 'endpoint', 'url'], 'must not contain a user name or password; name the variable with the key in `endpoint.key`');
    // People paste addresses in the form that other tools want.
    const root = (endpoint.url ?? provider.root).replace(/\/+$/, '').replace(/\/v1(beta)?$/, '');
    const keyOrigin = variable === undefined
        ? `\`harnesses.${name}.endpoint.key\`, which is not set`
        : `the variable ${variable} of the server (\`harnesses.${name}.endpoint.key\`)`;
    return {
        api,
        root,
        apiKey,
        keyOrigin,
        ...(variable === oauthVariable && { keyType: 'oauth_token' }),
        ...(endpoint.headers && { headers: readHeaders(name, endpoint.headers, env) }),
    };
}
function readHeaders(name, headers, env) {
    const read = Object.entries(headers).map(([header, variable]) => {
        const value = env[variable]?.trim();
        const fault = value === undefined
            ? `${(0,variable_name/* describeUnsetVariable */.J)(variable)}; set it to the value of the header`
            : (0,request_headers/* findHeaderFault */.V)(header, value);
        if (fault !== undefined)
            throw new HarnessSettingError([name, 'endpoint', 'headers'], fault);
        return [header, value ?? ''];
    });
    return Object.fromEntries(read);
}
/** A bare name is looked up on PATH. One with a slash is relative to the configuration's folder. */
function place(program, { folder }) {
    return program.includes('/') ? (0,external_node_path_.resolve)(folder, program) : program;
}
function harness_settings_pick(env, names) {
    return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}

;// CONCATENATED MODULE: ./build/js/server/config/skill-settings.js


/** A token for skills takes precedence over the host's. Throws EnvironmentSettingError. */
function readGitHubSkills({ skills }, { env, git }) {
    if (skills?.github === undefined)
        return undefined;
    const { repositories, token, url: text } = skills.github;
    const path = ['skills', 'github'];
    const url = new URL(text);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
        throw new EnvironmentSettingError([...path, 'url'], 'must not contain a credential, "?" or "#" (its value is not shown); use the plain URL');
    const { host } = url;
    const own = token && { token: readToken(env, token, [...path, 'token'], host), apiUrl: '' };
    const known = own || git.hosts[host];
    if (known !== undefined && !isPrivate(text))
        throw new EnvironmentSettingError([...path, 'url'], 'the token would be sent unencrypted; use an https:// URL');
    return {
        repositories,
        url: text.replace(/\/+$/, ''),
        git: { ...git, hosts: known === undefined ? {} : { [host]: known } },
    };
}

;// CONCATENATED MODULE: ./build/js/server/config/server-config.js














const defaultPort = 7420;
const defaultConfigFile = 'agent-run.yaml';
/**
 * Reads the configuration: flags before environment before file. Nothing else in the server reads the environment.
 * Throws ConfigError, which names every invalid setting, its place and the remedy.
 */
function readServerConfig({ env: rawEnv, flags = {}, cwd }) {
    const env = Object.fromEntries(Object.entries(rawEnv).filter(([, value]) => value !== undefined && value.trim() !== ''));
    const opened = openConfigFile(flags.config ?? env.AGENT_RUN_CONFIG, cwd);
    const { settings: file, folder } = opened;
    const fromCwd = (path) => (path === undefined ? undefined : (0,external_node_path_.resolve)(cwd, path));
    const fromFile = (path) => (path === undefined ? undefined : (0,external_node_path_.resolve)(folder, path));
    const tlsCert = fromCwd(flags.tlsCert) ?? fromFile(file.tls?.cert);
    const tlsKey = fromCwd(flags.tlsKey) ?? fromFile(file.tls?.key);
    const harnesses = readHarnesses(opened, env, locateAgentsFolder(env, cwd));
    const config = {
        missingFile: opened.missing,
        host: flags.host ?? env.AGENT_RUN_HOST ?? file.host ?? '127.0.0.1',
        port: flags.port ?? readPort(env.AGENT_RUN_PORT) ?? file.port ?? defaultPort,
        dataDir: fromCwd(flags.data ?? env.AGENT_RUN_DATA) ?? fromFile(file.data) ?? (0,external_node_path_.resolve)(cwd, '.agent-run'),
        publicUrl: (readPublicUrl(env.AGENT_RUN_PUBLIC_URL) ?? file.public_url)?.replace(/\/+$/, ''),
        behindProxy: flags.behindProxy ?? file.behind_proxy ?? false,
        containment: file.containment ?? 'auto',
        tls: readTlsPair(tlsCert, tlsKey),
        harnesses,
        skillRepositories: server_config_readRepositories(opened),
        workspace: readWorkspace(opened),
        ...readSurroundings(opened, env),
        unsetVariables: findUnset(opened, env),
        unreadVariables: findUnreadVariables(file.harnesses ?? {}, harnesses.agents, env),
        docker: readDockerConfig(file, { env, folder }),
        limits: readLimits(file),
        apiKey: readApiKey(env.AGENT_RUN_API_KEY),
        baseEnv: server_config_pick(env, ['PATH', 'LANG', 'LC_ALL', 'USER', 'LOGNAME']),
    };
    const hostOfEnv = env.AGENT_RUN_HOST === undefined ? opened.place(['host']) : 'AGENT_RUN_HOST';
    refuseOpenPort(config, flags.host === undefined ? hostOfEnv : '--host');
    return deepFreeze(config);
}
function openConfigFile(named, cwd) {
    const path = (0,external_node_path_.resolve)(cwd, named ?? defaultConfigFile);
    if (!(0,external_node_fs_.existsSync)(path)) {
        if (named !== undefined)
            throw new config_schema_ConfigError([`the configuration file ${path} does not exist`]);
        return { settings: {}, missing: path, folder: cwd, updatedAt: Date.now(), place: keys => keys.join('.') };
    }
    return {
        ...readConfigFile(readText(path), path),
        folder: (0,external_node_path_.dirname)(path),
        updatedAt: Math.floor((0,external_node_fs_.statSync)(path).mtimeMs),
    };
}
function readText(path) {
    if ((0,external_node_fs_.statSync)(path).isDirectory())
        throw new config_schema_ConfigError([
            `the configuration file ${path} is a folder; use a file, such as ${(0,external_node_path_.join)(path, defaultConfigFile)}`,
        ]);
    try {
        return (0,external_node_fs_.readFileSync)(path, 'utf8');
    }
    catch (error) {
        throw new config_schema_ConfigError([
            `the configuration file ${path} cannot be read (${(0,cause/* messageOf */.bD)(error)}); make it readable for this user, or choose another file with --config`,
        ]);
    }
}
function readHarnesses({ settings, folder, place }, env, agentsFolder) {
    const { default: named, script, ...commands } = settings.harnesses ?? {};
    const hasScript = script !== undefined;
    const names = [...(hasScript ? ['script'] : []), ...Object.keys(commands)];
    if (named !== undefined && !names.includes(named))
        throw new config_schema_ConfigError([
            `${place(['harnesses', 'default'])}: there is no harness "${named}"; configured harnesses: ${names.join(', ') || 'none'}${(0,nearest/* didYouMean */.au)(named, names)}`,
        ]);
    if (named === undefined && names.length > 1)
        throw new config_schema_ConfigError([
            `${place(['harnesses', 'default'])}: is missing; with several harnesses, set it to the one for runs that do not name any: ${names.join(', ')}`,
        ]);
    if (names.includes('oz'))
        throw new config_schema_ConfigError([
            `${place(['harnesses', 'oz'])}: "oz" is reserved for the default harness; choose another name`,
        ]);
    try {
        return readHarnessEntries(settings.harnesses ?? {}, named ?? names[0], { env, folder, agentsFolder });
    }
    catch (error) {
        if (!(error instanceof HarnessSettingError))
            throw error;
        throw new config_schema_ConfigError([`${place(['harnesses', ...error.path])}: ${error.message}`]);
    }
}
function server_config_readRepositories({ settings, folder, place }) {
    const entries = Object.entries(settings.skills?.repositories ?? {}).map(([name, path]) => [name, (0,external_node_path_.resolve)(folder, path)]);
    const missing = entries.filter(([, path]) => (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory() !== true);
    if (missing.length > 0)
        throw new config_schema_ConfigError(missing.map(([name, path]) => `${place(['skills', 'repositories', name])}: the folder ${path} does not exist`));
    return Object.fromEntries(entries);
}
function readSurroundings({ settings, place, updatedAt }, env) {
    try {
        const git = readGitSettings(settings, env);
        return {
            git,
            githubSkills: readGitHubSkills(settings, { env, git }),
            environments: readEnvironments(settings, { env, git, updatedAt }),
        };
    }
    catch (error) {
        if (!(error instanceof EnvironmentSettingError))
            throw error;
        throw new config_schema_ConfigError([`${place(error.path)}: ${error.message}`]);
    }
}
/** Only a warning: a run may work without the token, but mostly differs from what was meant. */
function findUnset({ settings: { harnesses: { default: _default, script: _script, ...harnesses } = {}, environments = {} }, place, }, env) {
    const look = (section, what, entries) => Object.entries(entries).flatMap(([user, entry]) => entry.env.flatMap((name, index) => {
        const path = (0,variable_name/* isUsualVariableName */.I)(name) ? [section, user, 'env'] : [section, user, 'env', index];
        return env[name] === undefined ? [{ name, user: `the ${what} ${user}`, place: place(path) }] : [];
    }));
    return [...look('harnesses', 'harness', harnesses), ...look('environments', 'environment', environments)];
}
function readWorkspace({ settings, folder, place }) {
    if (settings.workspace === undefined)
        return undefined;
    const path = (0,external_node_path_.resolve)(folder, settings.workspace);
    if ((0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory() === true)
        return path;
    throw new config_schema_ConfigError([`${place(['workspace'])}: the folder ${path} does not exist`]);
}
/** Runs that share a folder run one at a time, unless the file allows more. */
function readLimits({ limits, workspace }) {
    return limitsSchema.parse({ ...(workspace === undefined ? {} : { concurrency: 1 }), ...limits });
}
function readTlsPair(cert, key) {
    if (cert === undefined && key === undefined)
        return undefined;
    if (cert === undefined || key === undefined)
        throw new config_schema_ConfigError([
            `${cert === undefined ? '--tls-key' : '--tls-cert'}: TLS needs both a certificate and its key; set --tls-cert and --tls-key`,
        ]);
    return { cert, key };
}
function readPort(text) {
    if (text === undefined)
        return undefined;
    const port = Number(text);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new config_schema_ConfigError([`AGENT_RUN_PORT: must be a port from 0 to 65535, not "${text}"`]);
    return port;
}
function readPublicUrl(url) {
    const checked = checkValue(configFileSchema.shape.public_url, url);
    if ('data' in checked)
        return checked.data;
    throw new config_schema_ConfigError(checked.faults.map(({ message }) => `AGENT_RUN_PUBLIC_URL: ${message}`));
}
function readApiKey(key) {
    if (key !== undefined && !/^[\x21-\x7e]{8,}$/.test(key))
        throw new config_schema_ConfigError([
            'AGENT_RUN_API_KEY: must have at least 8 visible ASCII characters and no spaces (its value is not shown)',
        ]);
    return key;
}
/** Keys would cross the network unencrypted. */
function refuseOpenPort(config, place) {
    if ((0,loopback/* isLoopback */.U)(config.host) || config.tls !== undefined || config.behindProxy)
        return;
    throw new config_schema_ConfigError([
        `${place}: other machines can reach ${config.host}, and API keys would be sent unencrypted without TLS; set --tls-cert and --tls-key (\`tls\` in the file), or --behind-proxy (\`behind_proxy: true\`) if a proxy in front terminates TLS`,
    ]);
}
function server_config_pick(env, names) {
    return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}
function deepFreeze(value) {
    if (typeof value === 'object' && value !== null)
        for (const member of Object.values(value))
            deepFreeze(member);
    return Object.freeze(value);
}

// EXTERNAL MODULE: external "node:url"
var external_node_url_ = __webpack_require__(3136);
;// CONCATENATED MODULE: ./build/js/base/process/sibling-program.js
/**
 * The address of a program in the caller's folder, from source or as built, like the caller. `importerUrl` is its
 * `import.meta.url`, to which a loader may add a query.
 */
function siblingProgram(name, importerUrl) {
    return new URL(`./${name}.${new URL(importerUrl).pathname.endsWith('.ts') ? 'ts' : 'js'}`, importerUrl);
}

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/coerce.js
var coerce = __webpack_require__(9567);
;// CONCATENATED MODULE: ./build/js/contract/events.js


/** The event types and their `data`. A newer server may send more types. */
const eventDataSchemas = {
    state: schemas/* object */.Ikc({ state: schemas/* string */.YjP(), message: schemas/* string */.YjP().optional() }),
    message: schemas/* object */.Ikc({ role: schemas/* string */.YjP(), text: schemas/* string */.YjP() }),
    tool_call: schemas/* object */.Ikc({ id: schemas/* string */.YjP(), name: schemas/* string */.YjP(), input: schemas/* unknown */.L5J() }),
    tool_result: schemas/* object */.Ikc({
        id: schemas/* string */.YjP(),
        output: schemas/* unknown */.L5J(),
        is_error: schemas/* boolean */.zMY(),
        /** Of a shell command, if the agent reports it. */
        exit_code: schemas/* int */.Whr().optional(),
    }),
    log: schemas/* object */.Ikc({
        stream: schemas/* enum */.k5n(['stdout', 'stderr', 'system']),
        text: schemas/* string */.YjP(),
        /** Set on a line of the service that the run's creator should see. */
        level: schemas/* enum */.k5n(['warning']).optional(),
    }),
    usage: schemas/* looseObject */._H3({}),
    artifact: schemas/* looseObject */._H3({}),
};
/** Parses an event draft; undefined if the contract has no such event. Unknown members are omitted. */
function readEventDraft({ type, data, }) {
    if (typeof type !== 'string' || !isEventType(type))
        return undefined;
    const read = eventDataSchemas[type].safeParse(data);
    return read.success ? { type, data: read.data } : undefined;
}
function isEventType(type) {
    return Object.hasOwn(eventDataSchemas, type);
}
const eventSchema = schemas/* object */.Ikc({
    seq: schemas/* int */.Whr(),
    at: schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds'),
    type: schemas/* string */.YjP().describe(`One of ${Object.keys(eventDataSchemas).join(', ')}; newer servers may add more`),
    data: schemas/* looseObject */._H3({}).describe('Its members depend on the type'),
});
const eventPageSchema = schemas/* object */.Ikc({
    events: schemas/* array */.YOg(eventSchema),
    next_after: schemas/* int */.Whr().describe('The `after` of the next page'),
    done: schemas/* boolean */.zMY().describe('The run has ended and this page has its last event'),
});
const eventQuerySchema = schemas/* object */.Ikc({
    after: coerce/* number */.ai().int().min(0).default(0),
    limit: coerce/* number */.ai().int().min(1).max(sizes/* sizes */.L.eventLimit).default(sizes/* sizes */.L.eventLimit),
});

;// CONCATENATED MODULE: ./build/js/server/harness/agents/agent-fault.js
/** Faults of agents, with kinds that all programs share, and the ending of the run for each kind. */

const faultKinds = [
    'auth',
    'rate_limit',
    'model_not_found',
    'bad_request',
    'context_length',
    'provider',
    'network',
    'refusal',
    'output_limit',
    'step_limit',
    'no_result',
    'mcp_server',
    'harness',
];
const faultTable = {
    auth: {
        code: 'authentication_required',
        opening: 'the model endpoint {endpoint} refused the key',
        remedy: 'Check the key in {key}',
    },
    rate_limit: {
        code: 'rate_limited',
        opening: 'the model endpoint {endpoint} reports too many requests or a used-up quota',
        remedy: 'Start the run again later, or raise the limit or add credit at the provider',
    },
    model_not_found: {
        code: 'resource_not_found',
        opening: 'the model endpoint {endpoint} does not know the model {model}',
        remedy: 'Check its name and that the key has access to it. Choose another one with `model_id`, or check the address of the endpoint',
    },
    bad_request: {
        code: 'agent_failed',
        opening: 'the model endpoint {endpoint} rejected the request of {agent}',
        remedy: 'Check that the endpoint speaks `endpoint.api` and that the model can use tools',
    },
    context_length: {
        code: 'agent_failed',
        opening: 'the conversation grew longer than the context of the model {model}',
        remedy: 'Give the agent a smaller task, or a model with a longer context',
    },
    provider: {
        code: 'resource_unavailable',
        opening: 'the model endpoint {endpoint} failed',
        remedy: 'Start the run again later',
    },
    network: {
        code: 'resource_unavailable',
        opening: 'the model endpoint {endpoint} could not be reached, or the connection broke',
        remedy: 'Check the network, and {address} if it is set',
    },
    refusal: {
        code: 'agent_failed',
        opening: 'the model {model} refused to answer',
        remedy: 'Change the prompt',
    },
    output_limit: {
        code: 'agent_failed',
        opening: 'an answer of the model {model} reached its length limit and was cut off',
        remedy: 'Ask for a shorter answer, or for a file',
    },
    step_limit: {
        code: 'step_limit',
        opening: '{agent} reached its step limit and was stopped',
        remedy: 'Give it a smaller task. On a server, `steps` of the harness sets the limit',
    },
    no_result: {
        code: 'no_result',
        opening: '{agent} ended without an answer',
        remedy: 'Ask for an answer in the prompt, such as "Say what you changed"',
    },
    mcp_server: {
        code: 'environment_setup_failed',
        opening: 'an MCP server cannot be used',
        remedy: 'Fix it, or set `"required": false` in its entry',
    },
    harness: {
        code: 'agent_failed',
        opening: '{agent} failed',
        remedy: '',
    },
};
const messageMax = 600;
/** Later requests would fail too. */
const unpaid = /credit balance/i;
/** Limit on a complaint, in characters, so that a long one cannot block the server. */
const complaintMax = 10_000;
/** The kind of the first wording that matches any of the texts. Only the beginning of each text is searched. */
function faultOfWords(wordings, ...said) {
    const beginnings = said.map(beginningOf);
    return wordings.find(([wording]) => beginnings.some(beginning => wording.test(beginning)))?.[1];
}
/** The part of a complaint that is searched. */
function beginningOf(said) {
    return said.slice(0, complaintMax);
}
/**
 * What happened, and what to do about it ('' if unknown), each without a period. `endpoint` is an address without
 * secrets.
 */
function agent_fault_explainFault({ fault, httpStatus, message }, names) {
    const { code, opening, remedy } = faultTable[fault];
    const known = {
        ...names,
        key: names.key ?? '`endpoint.key` of the harness',
        address: names.address ?? '`endpoint.url` of the harness',
    };
    const fill = (text) => text.replace(/\{(agent|model|endpoint|key|address)\}/g, (_all, name) => known[name]);
    const status = httpStatus === undefined ? '' : ` (status ${httpStatus})`;
    const line = (0,base_text/* ellipsis */.gO)(beginningOf(message).replace(/\s+/g, ' ').trim(), messageMax + 1);
    const said = remedy === '' ? line : line.replace(/\.$/, '');
    // Gateways name models like this, and the providers themselves do not.
    const bare = fault === 'model_not_found' ? /\/([^/]+)$/.exec(names.model)?.[1] : undefined;
    const isUnpaid = fault === 'rate_limit' && unpaid.test(line);
    const advice = isUnpaid ? 'Add credit at the provider, then start the run again' : fill(remedy);
    const hint = bare === undefined ? '' : `. If it is the provider's own endpoint, write the model as ${bare}`;
    return { code, text: `${fill(opening)}${status}${said === '' ? '' : `: ${said}`}`, remedy: `${advice}${hint}` };
}
/** Meaning of an answer's status if the program says no more. */
function agent_fault_faultOfStatus(status) {
    if (status === 401 || status === 403)
        return 'auth';
    if (status === 404)
        return 'model_not_found';
    if (status === 429)
        return 'rate_limit';
    if (status === 413)
        return 'context_length';
    return status >= 500 || status === 408 ? 'provider' : 'bad_request';
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/event-parts.js
/** Parts of events for readers of program output, checked field by field, and events that all programs share. */


const lineMax = 1000;
/** Limit on remembered ids. No real run has as many calls or answers. */
const idsMax = 100_000;
/** '' unless it is a string. */
function event_parts_readText(value) {
    return typeof value === 'string' ? value : '';
}
/** 0 unless it is a count. */
function readCount(value) {
    return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
/** Data of a result. {} without an exit code. */
function readExitCode(value) {
    return Number.isInteger(value) ? { exit_code: Number(value) } : {};
}
/** {} unless it is an object. */
function readObject(value) {
    return (0,json/* isObject */.Gv)(value) ? value : {};
}
/** The objects of a list. */
function readObjects(value) {
    return Array.isArray(value) ? value.filter(json/* isObject */.Gv) : [];
}
/**
 * The texts of content in the shape of MCP and Anthropic: a string, or a list of parts. Parts without text are named
 * by their type.
 */
function readContent(content) {
    if (!Array.isArray(content))
        return event_parts_readText(content);
    return readObjects(content)
        .map(({ type, text }) => (typeof text === 'string' ? text : `[${event_parts_readText(type) || 'part'}]`))
        .join('\n');
}
/** Adds an id to those that a reader remembers, up to a limit: tools can print any number of new ids. */
function remember(ids, id) {
    if (ids.size < idsMax)
        ids.add(id);
}
/**
 * The name of a tool: `mcp__SERVER__TOOL` if the program calls it PREFIX + SERVER_TOOL. Unchanged unless exactly one
 * server matches.
 */
function nameTool(name, prefix, servers) {
    const [server, other] = servers.filter(({ name: own }) => name.startsWith(`${prefix}${own}_`));
    if (server === undefined || other !== undefined)
        return name;
    return `mcp__${server.name}__${name.slice(prefix.length + server.name.length + 1)}`;
}
/** A line of the program about itself. */
function tellLine(text) {
    return { type: 'log', data: { stream: 'system', text: printLine(text) } };
}
/** A warning for the caller of the run. */
function createWarning(text) {
    return { type: 'log', data: { stream: 'system', text: printLine(`warning: ${text}`), level: 'warning' } };
}
function printLine(text) {
    return `${(0,base_text/* ellipsis */.gO)(text.replace(/\s+/g, ' ').trim(), lineMax)}\n`;
}
function createMessage(text) {
    return { type: 'message', data: { role: 'assistant', text } };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/builtin/builtin-reader.js




const eventTypes = [
    'message',
    'tool_call',
    'tool_result',
    'log',
    'usage',
];
const endSchema = schemas/* discriminatedUnion */.gMt('kind', [
    schemas/* object */.Ikc({ kind: schemas/* literal */.euz('succeeded'), text: schemas/* string */.YjP() }),
    schemas/* object */.Ikc({
        kind: schemas/* literal */.euz('failed'),
        text: schemas/* string */.YjP().optional(),
        fault: schemas/* enum */.k5n(faultKinds),
        httpStatus: schemas/* number */.aig().optional(),
        message: schemas/* string */.YjP(),
    }),
]);
/**
 * The lines come from this version's own program, but its tools can write to its output. Other lines are not events.
 */
function createBuiltinReader() {
    const running = new Set();
    let steps = 0;
    let sessionId;
    let end;
    let lastText;
    const readEvent = (line) => {
        const event = readEventDraft(line);
        if (event === undefined || !eventTypes.includes(event.type))
            return undefined;
        if (event.type === 'tool_call')
            remember(running, event.data.id);
        if (event.type === 'tool_result')
            running.delete(event.data.id);
        if (event.type === 'message')
            lastText = event.data.text;
        // Shortened only after redaction, so that no secret is cut.
        if (event.type !== 'log')
            return [event];
        return [event.data.level === 'warning' ? createWarning(event.data.text) : tellLine(event.data.text)];
    };
    const readEnd = (value) => {
        const read = endSchema.safeParse(value);
        if (!read.success)
            return undefined;
        end = read.data;
        return [];
    };
    return {
        read(line) {
            if (typeof line.session === 'string')
                sessionId = line.session;
            else if (typeof line.step === 'number')
                steps = Math.max(steps, readCount(line.step));
            else if (line.end !== undefined)
                return readEnd(line.end);
            else if (line.alive !== true)
                return readEvent(line);
            return [];
        },
        claim: () => end ?? { kind: 'none', text: lastText },
        get steps() {
            return steps;
        },
        get isToolRunning() {
            return running.size > 0;
        },
        get sessionId() {
            return sessionId;
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/builtin/builtin.js




/** The agent that comes with the server: its own loop (builtin-agent.ts), which needs no installation. */
const builtinAdapter = {
    title: 'the built-in agent',
    apis: modelApis,
    program: { file: (0,external_node_url_.fileURLToPath)(siblingProgram('builtin-agent', import.meta.url)) },
    versionArgs: ['--version'],
    /** Standard input carries everything, including the key, so no environment that a tool inherits contains it. */
    launch: spec => ({ args: [], env: {}, stdin: JSON.stringify(spec), files: [] }),
    createReader: () => createBuiltinReader(),
};

;// CONCATENATED MODULE: ./build/js/server/harness/agents/claude/claude-launch.js
/** Claude Code's configuration folder below the state folder, with its sessions. */
const home = 'claude';
const files = {
    settings: `${home}/settings.json`,
    key: `${home}/key`,
    mcp: `${home}/mcp.json`,
    instructions: `${home}/instructions.md`,
    memory: `${home}/CLAUDE.md`,
};
/** Disables traffic to hosts other than the endpoint, and updates. */
const quiet = {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
};
const behaviour = {
    // As root it refuses to work without prompts unless it is told that this is a sandbox.
    IS_SANDBOX: '1',
    // Its own ten retries take minutes. A run can be started again.
    CLAUDE_CODE_MAX_RETRIES: '3',
    API_TIMEOUT_MS: '300000',
    // Sends the tools of MCP servers in every request, because other makers' endpoints do not support tool search.
    ENABLE_TOOL_SEARCH: 'false',
    // Waits for MCP servers before its first request. Otherwise the tools of a slow one are missing.
    MCP_CONNECTION_NONBLOCKING: 'false',
    MCP_TIMEOUT: '60000',
};
function launchClaude({ endpoint, model, prompt, instructions, mcpServers, workspace, stateDir, tempDir, newSessionId, resume, stepsMax, }) {
    const isOAuth = endpoint.keyType === 'oauth_token';
    return {
        args: [
            '-p',
            '--output-format',
            'stream-json',
            '--verbose',
            // Shows that a long answer is in progress, and its tokens before it ends.
            '--include-partial-messages',
            '--dangerously-skip-permissions',
            '--model',
            model,
            '--max-turns',
            String(stepsMax),
            // Ignores the settings of the workspace: they could send the key to another host.
            '--setting-sources',
            'user',
            '--strict-mcp-config',
            '--mcp-config',
            `${stateDir}/${files.mcp}`,
            ...(instructions === '' ? [] : ['--append-system-prompt-file', `${stateDir}/${files.instructions}`]),
            ...(resume === undefined ? ['--session-id', newSessionId] : ['--resume', resume]),
        ],
        env: {
            ...quiet,
            ...behaviour,
            ANTHROPIC_BASE_URL: endpoint.root,
            // It keeps the token out of the environment of its tools.
            ...(isOAuth ? { CLAUDE_CODE_OAUTH_TOKEN: endpoint.apiKey ?? '' } : {}),
            ...(endpoint.headers && { ANTHROPIC_CUSTOM_HEADERS: printHeaders(endpoint.headers) }),
            CLAUDE_CONFIG_DIR: `${stateDir}/${home}`,
            CLAUDE_CODE_TMPDIR: tempDir,
        },
        // A prompt with a leading slash would be a command of the program, which runs without a model.
        stdin: prompt.startsWith('/') ? `\n${prompt}` : prompt,
        files: [
            // A helper would take precedence over the token.
            ...(isOAuth ? [{ path: files.settings, text: '{}' }] : printKeyFiles(stateDir, endpoint.apiKey)),
            { path: files.mcp, text: printMcpServers(mcpServers) },
            // Without the workspace's settings its instructions are missing too, so they are passed here.
            { path: files.memory, text: `@${`${workspace}/CLAUDE.md`.replaceAll(' ', '\\ ')}\n` },
            ...(instructions === '' ? [] : [{ path: files.instructions, text: instructions }]),
        ],
        skillsFolder: `${home}/skills`,
    };
}
function printKeyFiles(stateDir, apiKey) {
    return [
        { path: files.settings, text: JSON.stringify({ apiKeyHelper: `cat ${quote(`${stateDir}/${files.key}`)}` }) },
        // Without a key it asks a person to log in.
        { path: files.key, text: apiKey ?? 'none' },
    ];
}
function printHeaders(headers) {
    return Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');
}
function printMcpServers(servers) {
    const entries = servers.map(server => {
        const { name, type } = server;
        return type === 'stdio'
            ? [name, { type, command: server.command, args: server.args, env: server.env }]
            : [name, { type, url: server.url, headers: server.headers }];
    });
    return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, (_name, value) => typeof value === 'string' ? escapeDollars(value) : value);
}
/** It replaces `${NAME}` with variables, and uses the text after `:-` if the variable is missing. */
function escapeDollars(text) {
    return text.replaceAll('${', () => '${AGENT_RUN_NO_VARIABLE:-$}{');
}
/** Quotes for a shell. */
function quote(text) {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/claude/claude-fault.js


/** By `subtype`, `terminal_reason`, `stop_reason`, and `api_error` of a result, in this order. */
const words = {
    error_max_turns: 'step_limit',
    max_turns: 'step_limit',
    prompt_too_long: 'context_length',
    refusal: 'refusal',
    max_output_tokens: 'output_limit',
    connection_failed: 'network',
};
/** By `error` of Claude Code's message about a failed request, if the status is unknown. */
const errors = {
    authentication_failed: 'auth',
    billing_error: 'rate_limit',
    rate_limit: 'rate_limit',
    model_not_found: 'model_not_found',
    invalid_request: 'bad_request',
    max_output_tokens: 'output_limit',
    server_error: 'provider',
};
/** Why a result is not a success. `apiError` is `error` of its last message about a failed request. */
function explainClaudeResult(result, apiError) {
    const { subtype, terminal_reason, stop_reason, api_error, api_error_status: status } = result;
    const word = [subtype, terminal_reason, stop_reason, api_error]
        .map(event_parts_readText)
        .find(name => Object.hasOwn(words, name));
    const httpStatus = typeof status === 'number' ? status : undefined;
    return { fault: findFault(word, httpStatus, apiError), httpStatus, message: describe(result) };
}
function findFault(word, status, apiError) {
    const named = word === undefined ? undefined : words[word];
    if (named !== undefined)
        return named;
    // An unpaid bill comes with the status of a bad request.
    if (apiError === 'billing_error')
        return 'rate_limit';
    if (status !== undefined)
        return agent_fault_faultOfStatus(status);
    return (apiError !== undefined && errors[apiError]) || 'harness';
}
function describe({ result, errors: list, terminal_reason: reason }) {
    const said = event_parts_readText(result).replace(/^API Error: /, '');
    if (said !== '')
        return said;
    const texts = Array.isArray(list) ? list.map(event_parts_readText).filter(text => text !== '') : [];
    return texts.length > 0 ? texts.join('; ') : event_parts_readText(reason);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/claude/claude-usage.js

/**
 * Limits within one result: models, and answers since the result before. Tools can write any number to the program's
 * output.
 */
const modelsMax = 1000;
const answersMax = 10_000;
const none = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 };
function countClaudeUsage() {
    /** Answers since the last result. */
    const open = new Map();
    let openSum = none;
    let settled = none;
    let settledRequests = 0;
    /** Undefined once it is unknown for one model. */
    let cost = 0;
    let told = '';
    const report = () => {
        const data = {
            ...combine(settled, openSum, add),
            requests: settledRequests + open.size,
            ...(open.size > 0 || !cost ? {} : { cost_usd: cost }),
        };
        const json = JSON.stringify(data);
        if (json === told || (told === '' && data.requests === 0))
            return [];
        told = json;
        return [{ type: 'usage', data: { ...data } }];
    };
    const note = (id, tokens) => {
        const before = open.get(id);
        if (before === undefined && open.size >= answersMax)
            return;
        open.set(id, tokens);
        openSum = combine(combine(openSum, tokens, add), before ?? none, (sum, one) => sum - one);
    };
    return {
        begin(id, usage) {
            note(id, readTokens(usage));
            return report();
        },
        end(id, usage) {
            // Some endpoints report the input only at the beginning.
            note(id, combine(open.get(id) ?? none, readTokens(usage), Math.max));
            return report();
        },
        settle({ model_usage_since_last_result: byModel }) {
            const models = Object.values(readObject(byModel)).slice(0, modelsMax).map(readObject);
            const sum = models.length > 0 ? models.map(readModelTokens).reduce((all, one) => combine(all, one, add)) : openSum;
            settled = combine(settled, sum, add);
            settledRequests += open.size;
            open.clear();
            openSum = none;
            const isPriced = models.every(({ costBasis }) => event_parts_readText(costBasis) === 'list');
            cost =
                cost === undefined || !isPriced
                    ? undefined
                    : models.reduce((total, { costUSD }) => total + readCount(costUSD), cost);
            return report();
        },
    };
}
const add = (one, other) => one + other;
/** Combines each number of one with the same number of the other. */
function combine(one, other, put) {
    return {
        input_tokens: put(one.input_tokens, other.input_tokens),
        output_tokens: put(one.output_tokens, other.output_tokens),
        cached_tokens: put(one.cached_tokens, other.cached_tokens),
        reasoning_tokens: put(one.reasoning_tokens, other.reasoning_tokens),
    };
}
/** Anthropic does not count tokens read from or written to the cache as input. */
function readTokens(usage) {
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens_details } = readObject(usage);
    const cached = readCount(cache_read_input_tokens);
    return {
        input_tokens: readCount(input_tokens) + cached + readCount(cache_creation_input_tokens),
        output_tokens: readCount(output_tokens),
        cached_tokens: cached,
        reasoning_tokens: readCount(readObject(output_tokens_details).thinking_tokens),
    };
}
function readModelTokens({ inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens, thinkingTokens, }) {
    const cached = readCount(cacheReadInputTokens);
    return {
        input_tokens: readCount(inputTokens) + cached + readCount(cacheCreationInputTokens),
        output_tokens: readCount(outputTokens),
        cached_tokens: cached,
        reasoning_tokens: readCount(thinkingTokens),
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/claude/claude-reader.js




/** Its own messages about a failed request have this model name. */
const ownModel = '<synthetic>';
/** Tools that start subagents. Their silence is that of a model, not of a tool. */
const delegates = ['Task', 'Agent'];
const deadStates = ['failed', 'needs-auth', 'disabled'];
const thoughtMax = 400;
/**
 * Reads `--output-format stream-json` with partial messages: `system`/`init` first, a message for each block of an
 * answer, tool results as messages of the user, and a `result` at the end. A failed result may also say `subtype:
 * "success"`, so only `is_error` counts. When background work ends after the answer, another `result` follows, and
 * the last one counts.
 */
function createClaudeReader({ mcpServers, deadServers, }) {
    const answers = new Set();
    const openCalls = new Set();
    /** By name, with the reason as far as it is known. */
    const dead = new Map(deadServers?.map(name => [name, 'it did not start']));
    const usage = countClaudeUsage();
    let sessionId;
    let text = '';
    /** Why the model did not answer. Cleared by a later answer. */
    let apiError;
    let result;
    const readSystem = (event) => {
        if (event.subtype === 'api_retry')
            return [reportRetry(event)];
        if (event.subtype !== 'init')
            return [];
        sessionId = event_parts_readText(event.session_id) || sessionId;
        const found = readObjects(event.mcp_servers);
        return mcpServers.flatMap(({ name }) => {
            const status = event_parts_readText(found.find(server => server.name === name)?.status);
            if (!deadStates.includes(status) || dead.has(name))
                return [];
            dead.set(name, status);
            return [createWarning(`the MCP server ${name} cannot be used: ${status}`)];
        });
    };
    const readBlock = (block, isBelow) => {
        switch (block.type) {
            case 'text': {
                const said = event_parts_readText(block.text);
                if (isBelow || said.trim() === '')
                    return [];
                text = said;
                return [createMessage(said)];
            }
            case 'thinking': {
                const thought = event_parts_readText(block.thinking).trim();
                return isBelow || thought === '' ? [] : [tellLine(`thinking: ${(0,base_text/* ellipsis */.gO)(thought, thoughtMax)}`)];
            }
            case 'tool_use': {
                const call = { id: event_parts_readText(block.id), name: event_parts_readText(block.name), input: block.input ?? {} };
                if (!delegates.includes(call.name))
                    remember(openCalls, call.id);
                return [{ type: 'tool_call', data: call }];
            }
            default:
                return [];
        }
    };
    const beginAnswer = (id, isBelow) => {
        remember(answers, id);
        if (isBelow)
            return;
        apiError = undefined;
        // It has continued after its result, so another one will come.
        result = undefined;
    };
    const readAssistant = (event) => {
        const { id, model, content } = readObject(event.message);
        const isBelow = typeof event.parent_tool_use_id === 'string';
        if (model === ownModel) {
            if (isBelow)
                return [];
            const kind = event_parts_readText(event.error);
            apiError = kind === '' ? undefined : { kind, text: readContent(content) };
            result = undefined;
            return [];
        }
        beginAnswer(event_parts_readText(id), isBelow);
        return readObjects(content).flatMap(block => readBlock(block, isBelow));
    };
    const readToolResult = ({ tool_use_id, content, is_error }) => {
        const id = event_parts_readText(tool_use_id);
        openCalls.delete(id);
        const said = readContent(content);
        // The start of its text for a failed command.
        const [begin = '', digits] = (is_error === true && /^Exit code (\d{1,3})(?:\n|$)/.exec(said)) || [];
        const exit = digits === undefined ? {} : readExitCode(Number(digits));
        const data = { id, output: said.slice(begin.length), is_error: is_error === true, ...exit };
        return { type: 'tool_result', data };
    };
    const readStream = ({ event, api_message_id, parent_tool_use_id }) => {
        const { type, message, usage: used } = readObject(event);
        if (type === 'message_start') {
            const { id, usage: first } = readObject(message);
            beginAnswer(event_parts_readText(id), typeof parent_tool_use_id === 'string');
            return usage.begin(event_parts_readText(id), first);
        }
        return type === 'message_delta' ? usage.end(event_parts_readText(api_message_id), used) : [];
    };
    return {
        read(event) {
            switch (event.type) {
                case 'system':
                    return readSystem(event);
                case 'assistant':
                    return readAssistant(event);
                case 'user':
                    return readObjects(readObject(event.message).content)
                        .filter(({ type }) => type === 'tool_result')
                        .map(readToolResult);
                case 'stream_event':
                    return readStream(event);
                case 'result':
                    result = event;
                    return usage.settle(event);
                default:
                    return [];
            }
        },
        claim() {
            if (result === undefined && apiError === undefined)
                return { kind: 'none', text };
            if (result === undefined)
                return { kind: 'failed', text, ...explainClaudeResult({ result: apiError?.text }, apiError?.kind) };
            if (result.is_error !== false || result.subtype !== 'success')
                return { kind: 'failed', text, ...explainClaudeResult(result, apiError?.kind) };
            // Its own commands succeed without a model.
            if (answers.size === 0)
                return { kind: 'failed', fault: 'harness', message: 'it did not ask the model', text: event_parts_readText(result.result) };
            const missing = mcpServers.find(({ name, required }) => required && dead.has(name));
            if (missing !== undefined)
                return { kind: 'failed', text, fault: 'mcp_server', message: `${missing.name}: ${dead.get(missing.name)}` };
            return { kind: 'succeeded', text: event_parts_readText(result.result) };
        },
        get steps() {
            return answers.size;
        },
        get isToolRunning() {
            return openCalls.size > 0;
        },
        get sessionId() {
            return sessionId;
        },
    };
}
function reportRetry({ attempt, max_retries, retry_delay_ms, error_status, error }) {
    // It retries a refused key once, and repeats the last number each time.
    const which = error_status === 401 ? 'retrying' : `retry ${attempt} of ${max_retries}`;
    const status = typeof error_status === 'number' ? ` (status ${error_status})` : '';
    const wait = typeof retry_delay_ms === 'number' ? ` in ${Math.round(retry_delay_ms / 100) / 10} seconds` : '';
    return tellLine(`the model did not answer: ${event_parts_readText(error)}${status}; ${which}${wait}`);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/claude/claude.js


/** Claude Code, for endpoints of Anthropic's Messages API. Tested with 2.1.332. */
const claudeAdapter = {
    title: 'Claude Code',
    apis: ['anthropic'],
    program: 'claude',
    versionArgs: ['--version'],
    launch: launchClaude,
    createReader: createClaudeReader,
};

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/toml.js
/** Prints a TOML document: tables are headed sections after the plain values of their table. */
function printToml(table) {
    return `${printTable(table, []).join('\n')}\n`;
}
function printTable(table, path) {
    const entries = Object.entries(table);
    const own = entries.flatMap(([key, value]) => (isTable(value) ? [] : [`${printKey(key)} = ${printValue(value)}`]));
    const below = entries.flatMap(([key, value]) => (isTable(value) ? printTable(value, [...path, key]) : []));
    const heading = path.length === 0 ? [] : [`[${path.map(printKey).join('.')}]`];
    return [...heading, ...own, ...below];
}
function printKey(key) {
    return /^[A-Za-z0-9_-]+$/.test(key) ? key : printString(key);
}
function isTable(value) {
    return typeof value === 'object' && !Array.isArray(value);
}
function printValue(value) {
    if (typeof value === 'string')
        return printString(value);
    return Array.isArray(value) ? `[${value.map(printString).join(', ')}]` : String(value);
}
/** JSON strings are valid TOML, except for the character DEL and lone surrogates. */
function printString(text) {
    return JSON.stringify(text.toWellFormed()).replaceAll('\x7f', '\\u007f');
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/codex-launch.js

/** CODEX_HOME below the state folder, with settings and sessions. */
const codexHome = 'codex';
const keyVariable = 'AGENT_MODEL_KEY';
function launchCodex(spec) {
    const { endpoint, prompt, stateDir, resume } = spec;
    const options = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    return {
        args: resume === undefined ? ['exec', ...options, '-'] : ['exec', 'resume', ...options, resume, '-'],
        env: {
            CODEX_HOME: `${stateDir}/${codexHome}`,
            // A named variable must have a value.
            [keyVariable]: endpoint.apiKey ?? 'none',
        },
        stdin: prompt,
        files: [{ path: `${codexHome}/config.toml`, text: printToml(createSettings(spec)) }],
        skillsFolder: `${codexHome}/skills`,
    };
}
function createSettings({ endpoint, model, instructions, mcpServers }) {
    return {
        model,
        model_provider: 'run',
        ...(instructions === '' ? {} : { developer_instructions: instructions }),
        approval_policy: 'never',
        sandbox_mode: 'danger-full-access',
        check_for_update_on_startup: false,
        // Otherwise it looks up hosts of its maker, and without a network waits forever.
        features: { plugins: false, apps: false, remote_plugin: false, unbounded_connection_retries: false },
        analytics: { enabled: false },
        // Keeps the key out of the environment of its tools. A shell of the same user can still read it from /proc.
        shell_environment_policy: { exclude: [keyVariable] },
        model_providers: {
            run: {
                name: 'run',
                base_url: `${endpoint.root}/v1`,
                env_key: keyVariable,
                ...(endpoint.headers && { http_headers: endpoint.headers }),
                wire_api: 'responses',
                request_max_retries: 3,
                stream_max_retries: 3,
                stream_idle_timeout_ms: 300_000,
            },
        },
        // Waits for MCP servers before its first request. Otherwise the tools of a slow one are missing.
        mcp_optional_startup_grace_ms: 60_000,
        mcp_servers: Object.fromEntries(mcpServers.map(server => [server.name, createMcpServer(server)])),
    };
}
function createMcpServer(server) {
    // Otherwise a server has 10 seconds to start, and a tool one minute.
    const times = { startup_timeout_sec: 60, tool_timeout_sec: 3600 };
    const { type, required } = server;
    return type === 'stdio'
        ? { command: server.command, args: server.args, env: server.env, required, ...times }
        : { url: server.url, http_headers: server.headers, required, ...times };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/codex-fault.js



/** Codex describes failures in words only. The first match counts. */
const wordings = [
    [/ran out of room in the model's context window|context_length_exceeded/, 'context_length'],
    [/reason: content_filter/, 'refusal'],
    [/reason: max_output_tokens/, 'output_limit'],
    [/usage limit|quota exceeded|exceeded your current quota|insufficient_quota/i, 'rate_limit'],
    [/experiencing high demand/, 'provider'],
    [/\bmodel\b.{0,120}(does not exist|not found|is unknown|no access)/is, 'model_not_found'],
    [/Transport error|error sending request|connection (failed|refused|reset|closed)|dns error|timed? ?out/i, 'network'],
    [/stream disconnected before completion/, 'provider'],
];
const statuses = /\bstatus:? (\d{3})\b/;
/** In the message of a failed turn. */
function explainCodexFailure(said) {
    const [, digits] = statuses.exec(beginningOf(said)) ?? [];
    if (digits !== undefined)
        return { fault: agent_fault_faultOfStatus(Number(digits)), httpStatus: Number(digits), message: said };
    const kind = faultOfWords(wordings, said);
    const answer = codex_fault_readAnswer(said);
    // Codex passes on unchanged only the answer to a bad request.
    return { fault: kind ?? (answer === undefined ? 'harness' : 'bad_request'), message: answer ?? said };
}
/** The message in the body of an answer. Undefined if it is not such a body. */
function codex_fault_readAnswer(said) {
    try {
        const body = JSON.parse(said);
        if (!(0,json/* isObject */.Gv)(body))
            return undefined;
        return event_parts_readText((0,json/* isObject */.Gv)(body.error) ? body.error.message : (body.message ?? body.error)) || said;
    }
    catch {
        return undefined;
    }
}
/** From standard error if it did not start at all. Undefined if no known message is there. */
function explainCodexStart(printed) {
    const [, server, why = ''] = /required MCP servers failed to initialize: ([\w-]+)(?:: (.*))?/.exec(printed) ?? [];
    if (server === undefined)
        return undefined;
    return { fault: 'mcp_server', message: `${server}: ${why}` };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/codex-items.js

/** Undefined for an item that is not a tool call. `output` and `isError` are valid only once it is completed. */
function readCall(item) {
    const isError = event_parts_readText(item.status) === 'failed' || event_parts_readText(item.status) === 'declined';
    const call = { isError, isDelegate: false };
    switch (item.type) {
        case 'command_execution':
            return {
                ...call,
                name: 'shell',
                input: { command: item.command },
                output: event_parts_readText(item.aggregated_output),
                ...readExitCode(item.exit_code),
            };
        case 'mcp_tool_call': {
            const name = `mcp__${event_parts_readText(item.server)}__${event_parts_readText(item.tool)}`;
            const failure = event_parts_readText(readObject(item.error).message);
            const output = failure === '' ? readContent(readObject(item.result).content) : failure;
            return { ...call, name, input: item.arguments ?? {}, output };
        }
        case 'file_change':
            return { ...call, name: 'apply_patch', input: { changes: item.changes }, output: event_parts_readText(item.status) };
        case 'web_search':
            return { ...call, name: 'web_search', input: { query: item.query }, output: '' };
        case 'collab_tool_call':
            return {
                ...call,
                name: event_parts_readText(item.tool) || 'collab',
                input: { prompt: item.prompt },
                output: event_parts_readText(item.status),
                isDelegate: true,
            };
        default:
            return undefined;
    }
}

// EXTERNAL MODULE: ./build/js/border/files.js
var border_files = __webpack_require__(5838);
;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/session-log.js





const mark = Buffer.from('"type":"token_usage_record"');
const objectStart = 0x7b;
const lineEnd = 0x0a;
const pieceBytes = 1024 * 1024;
/** The rest is not read: the agent can make the file any size, and reading blocks the server. */
const logBytesMax = 256 * 1024 * 1024;
/** Limit for one read, which takes one or two tenths of a second. */
const updateBytesMax = 32 * 1024 * 1024;
/** Limits on marked lines and their bytes. A thread has one such line per answer, of less than a kilobyte. */
const recordsMax = 20_000;
const recordBytesMax = 16 * 1024 * 1024;
/**
 * Limit on folders of years, months and days, over all searches for a thread's log. Each line of the program before
 * the log exists is one search.
 */
const entriesMax = 5000;
/** No record of an answer is longer. */
const lineBytesMax = 64 * 1024;
/**
 * The log of a thread below CODEX_HOME, which may not exist yet. Never throws: without a log, a run lacks some
 * numbers.
 */
function openSessionLog(codexHome, threadId) {
    let file;
    const budget = { left: entriesMax };
    let at = 0;
    let rest = Buffer.alloc(0);
    let tokens;
    let answers = 0;
    const left = { records: recordsMax, bytes: recordBytesMax };
    const isFull = () => left.records <= 0 || left.bytes <= 0;
    const takeLine = (line) => {
        left.records -= 1;
        if (line[0] !== objectStart || line.length > lineBytesMax)
            return;
        left.bytes -= line.length;
        const { thread_id, thread_token_usage } = readObject(readObject(parseLine(line)).payload);
        if (event_parts_readText(thread_id) !== threadId || !(0,json/* isObject */.Gv)(thread_token_usage))
            return;
        tokens = readThreadTokens(thread_token_usage);
        answers += 1;
    };
    const takePiece = (piece) => {
        const text = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
        // Found by their marks, not line by line, because an agent could write any number of lines.
        const end = text.lastIndexOf(lineEnd) + 1;
        for (let found = text.indexOf(mark); found >= 0 && found < end && !isFull();) {
            const from = text.lastIndexOf(lineEnd, found) + 1;
            const to = text.indexOf(lineEnd, found);
            takeLine(text.subarray(from, to));
            found = text.indexOf(mark, to);
        }
        // A line longer than any record is skipped after its first part.
        rest = Buffer.from(text.subarray(end, end + lineBytesMax + 1));
    };
    return {
        update() {
            try {
                file ??= findLog(codexHome, threadId, budget);
                if (file === undefined || isFull())
                    return false;
                const from = at;
                at = readOn(file, from, takePiece);
                return at - from === updateBytesMax;
            }
            catch {
                // The file was removed or replaced.
                return false;
            }
        },
        get tokens() {
            return tokens;
        },
        get answers() {
            return answers;
        },
    };
}
function parseLine(line) {
    try {
        return JSON.parse(line.toString());
    }
    catch {
        return undefined;
    }
}
/** Codex counts cached tokens as input, and tokens of reasoning as output. */
function readThreadTokens(usage) {
    const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } = readObject(usage);
    return {
        input_tokens: readCount(input_tokens),
        output_tokens: readCount(output_tokens),
        cached_tokens: readCount(cached_input_tokens),
        reasoning_tokens: readCount(reasoning_output_tokens),
    };
}
/**
 * Searches the folder of its day, within the rest of the budget, because searching blocks the server. Does not follow
 * links.
 */
function findLog(codexHome, threadId, budget) {
    budget.left -= 1;
    const look = (folder, levels) => {
        if (budget.left <= 0 || !(0,external_node_fs_.lstatSync)(folder).isDirectory())
            return undefined;
        const within = [];
        const entries = (0,external_node_fs_.opendirSync)(folder);
        try {
            for (let entry = entries.readSync(); entry !== null && budget.left > 0; entry = entries.readSync()) {
                budget.left -= 1;
                if (entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`))
                    return (0,external_node_path_.join)(folder, entry.name);
                if (entry.isDirectory() && levels > 0)
                    within.push((0,external_node_path_.join)(folder, entry.name));
            }
        }
        finally {
            entries.closeSync();
        }
        for (const path of within) {
            const found = look(path, levels - 1);
            if (found !== undefined)
                return found;
        }
        return undefined;
    };
    return look((0,external_node_path_.join)(codexHome, 'sessions'), 3);
}
/** Reads a file from an offset, up to the limit for one read. Returns the new offset. */
function readOn(file, from, take) {
    const handle = (0,border_files/* openPlainFileSync */.o8)(file);
    try {
        const size = Math.min((0,external_node_fs_.fstatSync)(handle).size, logBytesMax, from + updateBytesMax);
        const piece = Buffer.allocUnsafe(pieceBytes);
        let at = from;
        while (at < size) {
            const bytes = (0,external_node_fs_.readSync)(handle, piece, 0, Math.min(pieceBytes, size - at), at);
            if (bytes === 0)
                break;
            take(piece.subarray(0, bytes));
            at += bytes;
        }
        return at;
    }
    finally {
        (0,external_node_fs_.closeSync)(handle);
    }
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/codex-reader.js







const codex_reader_thoughtMax = 400;
/**
 * Reads the lines of `exec --json`: `thread.started`, then items as they start and complete, and `turn.completed` or
 * `turn.failed` at the end. An `error` in between is a retry, or the reason of a later failure. Its usage covers the
 * thread over all its runs, and comes only after a successful turn. Otherwise usage comes from the thread's log.
 */
function createCodexReader({ stateDir, resume }) {
    const openLog = (threadId) => openSessionLog((0,external_node_path_.join)(stateDir, codexHome), threadId);
    const started = new Set();
    const openCalls = new Set();
    let log = resume === undefined ? undefined : openLog(resume);
    // Earlier records belong to earlier runs, so read all of them first.
    while (log?.update() === true)
        ;
    const before = { tokens: log?.tokens, answers: log?.answers ?? 0 };
    let threadId;
    /** A thread is named before its first turn begins, and stored only then. */
    let isKept = false;
    /** Answers as far as items show them: two calls of one answer look like two answers. */
    let guessedSteps = 0;
    let isAnswering = false;
    let text = '';
    let complaint;
    let end;
    let told = '';
    const countSteps = () => Math.max(0, (log?.answers ?? 0) - before.answers) || guessedSteps;
    const reportUsage = (tokens) => {
        // Earlier usage of the thread is unknown, and no number is better than a wrong one.
        if (tokens === undefined || (resume !== undefined && before.tokens === undefined))
            return [];
        const since = (name) => Math.max(0, tokens[name] - (before.tokens?.[name] ?? 0));
        const usage = {
            input_tokens: since('input_tokens'),
            output_tokens: since('output_tokens'),
            cached_tokens: since('cached_tokens'),
            reasoning_tokens: since('reasoning_tokens'),
            requests: countSteps(),
        };
        const json = JSON.stringify(usage);
        if (json === told || usage.input_tokens + usage.output_tokens === 0)
            return [];
        told = json;
        return [{ type: 'usage', data: { ...usage } }];
    };
    const reportLoggedUsage = () => {
        log?.update();
        return (log?.answers ?? 0) > before.answers ? reportUsage(log?.tokens) : [];
    };
    const beginAnswer = () => {
        complaint = undefined;
        // The end of an earlier turn is not that of this one.
        end = undefined;
        if (!isAnswering)
            guessedSteps += 1;
        isAnswering = true;
    };
    const reportComplaint = (said) => {
        complaint = said;
        // A successful turn clears earlier complaints.
        if (end === 'completed')
            end = 'failed';
        return [tellLine(`Codex: ${said}`)];
    };
    const readCallItem = (item, isCompleted) => {
        const call = readCall(item);
        if (call === undefined)
            return [];
        const id = event_parts_readText(item.id);
        const events = [];
        if (!started.has(id)) {
            beginAnswer();
            remember(started, id);
            text = '';
            if (!call.isDelegate)
                remember(openCalls, id);
            events.push({ type: 'tool_call', data: { id, name: call.name, input: call.input } });
        }
        if (isCompleted) {
            isAnswering = false;
            openCalls.delete(id);
            const exit = readExitCode(call.exit_code);
            events.push({ type: 'tool_result', data: { id, output: call.output, is_error: call.isError, ...exit } });
        }
        return events;
    };
    const readCompleted = (item) => {
        switch (item.type) {
            case 'agent_message':
                beginAnswer();
                text = event_parts_readText(item.text);
                return text.trim() === '' ? [] : [createMessage(text)];
            case 'reasoning':
                beginAnswer();
                return [tellLine(`thinking: ${(0,base_text/* ellipsis */.gO)(event_parts_readText(item.text), codex_reader_thoughtMax)}`)];
            case 'error':
                // Printed in every run with a model that is newer than the program. The model works anyway.
                if (/^Model metadata for \S+ not found/.test(event_parts_readText(item.message)))
                    return [];
                // A warning, unless it ends the turn.
                return end === 'completed'
                    ? reportComplaint(event_parts_readText(item.message))
                    : [tellLine(`Codex: ${event_parts_readText(item.message)}`)];
            default:
                return readCallItem(item, true);
        }
    };
    return {
        read(event) {
            switch (event.type) {
                case 'thread.started':
                    threadId = event_parts_readText(event.thread_id) || undefined;
                    if (threadId !== undefined)
                        log ??= openLog(threadId);
                    return [];
                case 'turn.started':
                    isKept = true;
                    end = undefined;
                    text = '';
                    return [];
                case 'item.started':
                    return [...readCallItem(readObject(event.item), false), ...reportLoggedUsage()];
                case 'item.completed':
                    return [...readCompleted(readObject(event.item)), ...reportLoggedUsage()];
                case 'error':
                    return reportComplaint(event_parts_readText(event.message));
                case 'turn.failed':
                    end = 'failed';
                    complaint = event_parts_readText(readObject(event.error).message) || complaint;
                    return reportLoggedUsage();
                case 'turn.completed':
                    end = 'completed';
                    log?.update();
                    return reportUsage(readThreadTokens(event.usage));
                default:
                    return [];
            }
        },
        claim({ outputTail }) {
            if (end === 'completed')
                return { kind: 'succeeded', text };
            if (complaint !== undefined)
                return { kind: 'failed', text, ...explainCodexFailure(complaint) };
            const fault = threadId === undefined ? explainCodexStart(outputTail) : undefined;
            return fault === undefined ? { kind: 'none', text } : { kind: 'failed', ...fault };
        },
        get steps() {
            return countSteps();
        },
        get isToolRunning() {
            return openCalls.size > 0;
        },
        get sessionId() {
            return isKept ? threadId : undefined;
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/codex/codex.js


/** Codex, for endpoints of OpenAI's Responses API. Tested with 0.171.0. */
const codexAdapter = {
    title: 'Codex',
    apis: ['openai-responses'],
    program: 'codex',
    versionArgs: ['--version'],
    launch: launchCodex,
    createReader: createCodexReader,
};

// EXTERNAL MODULE: ./build/js/base/network/slow-addresses.js
var slow_addresses = __webpack_require__(6491);
;// CONCATENATED MODULE: ./build/js/server/harness/agents/gemini/gemini-launch.js

/** Home of Gemini CLI's user below the state folder, with settings, skills and sessions. */
const gemini_launch_home = 'gemini';
const folder = `${gemini_launch_home}/.gemini`;
/** Its provider's own endpoint, which has every model that the program asks in addition to the run's. */
const ownEndpoint = 'https://generativelanguage.googleapis.com';
/** File below the state folder that every bash reads before its command. */
const bashFile = `${gemini_launch_home}/variables.sh`;
/** Below the state folder: code that Node runs before the program. */
const preloadFile = `${gemini_launch_home}/preload.cjs`;
/** Name for no MCP servers: otherwise it would take those of the workspace. */
const noServers = 'none-of-this-run';
function launchGemini(spec) {
    const { endpoint, model, prompt, instructions, mcpServers, stateDir, variables, newSessionId, resume } = spec;
    const passesOn = Object.keys(variables).length > 0;
    return {
        args: [
            '--output-format',
            'stream-json',
            '--yolo',
            '--skip-trust',
            // One argument, so that a name with a leading dash is not an option.
            `--model=${model}`,
            '--allowed-mcp-server-names',
            mcpServers.length === 0 ? noServers : mcpServers.map(({ name }) => name).join(','),
            ...(resume === undefined ? ['--session-id', newSessionId] : ['--resume', resume]),
            '--prompt',
            '',
        ],
        env: {
            // Without a key it asks a person to log in.
            GEMINI_API_KEY: endpoint.apiKey ?? 'none',
            GOOGLE_GEMINI_BASE_URL: endpoint.root,
            ...(endpoint.headers && { GEMINI_CLI_CUSTOM_HEADERS: gemini_launch_printHeaders(endpoint.headers) }),
            GEMINI_CLI_HOME: `${stateDir}/${gemini_launch_home}`,
            // Otherwise it restarts itself for a larger heap.
            GEMINI_CLI_NO_RELAUNCH: 'true',
            // It warns about any lesser terminal, although there is none.
            TERM: 'xterm-256color',
            COLORTERM: 'truecolor',
            NODE_OPTIONS: [variables.NODE_OPTIONS, `--require=${JSON.stringify(`${stateDir}/${preloadFile}`)}`]
                .filter(Boolean)
                .join(' '),
            ...(passesOn ? { BASH_ENV: `${stateDir}/${bashFile}` } : {}),
        },
        stdin: `/${newSessionId}`,
        files: [
            { path: `${folder}/settings.json`, text: JSON.stringify(gemini_launch_createSettings(spec)) },
            // Also without servers: the conversation's last run may have had some.
            { path: `${folder}/GEMINI.md`, text: instructions },
            { path: `${folder}/commands/${newSessionId}.toml`, text: printPrompt(prompt) },
            { path: preloadFile, text: printPreload(variables.NODE_OPTIONS) },
            ...(passesOn ? [{ path: bashFile, text: printExports(variables) }] : []),
        ],
        skillsFolder: `${folder}/skills`,
    };
}
function gemini_launch_printHeaders(headers) {
    return Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ');
}
/**
 * The prompt as a command of the program, under a name that is not in use. In a prompt on standard input, a word
 * after `@` that resembles a file name of the workspace would be replaced with the file's name and text. In a command
 * only braces have a meaning, and `!{}` stands for nothing.
 */
function printPrompt(prompt) {
    const text = prompt.replace(/[!@](?=\{)|\{(?=\{args\}\})/g, '$&!{}').toWellFormed();
    return `prompt = ${JSON.stringify(text).replaceAll('\x7f', '\\u007f')}\n`;
}
/**
 * The program exits before its output is written, so a full pipe would lose the end of a long answer unless writes
 * block. Its tools get the run's own NODE_OPTIONS. The timeout for slow addresses is set here, because Node before
 * 20.13, which an image may have, refuses that option in NODE_OPTIONS.
 */
function printPreload(nodeOptions) {
    const restore = nodeOptions === undefined ? 'delete env.NODE_OPTIONS' : `env.NODE_OPTIONS = ${JSON.stringify(nodeOptions)}`;
    const wait = `require('node:net').setDefaultAutoSelectFamilyAttemptTimeout(${slow_addresses/* addressAttemptMs */.Q})`;
    return `const { env, stdout } = process;\nstdout._handle?.setBlocking?.(true);\n${wait};\n${restore};\n`;
}
/**
 * Bash commands that set variables. For names that it takes for secrets, such as GH_TOKEN, Gemini CLI passes a
 * variable on to MCP servers if its settings allow the name, but never to its shell, which is bash.
 */
function printExports(variables) {
    const named = Object.entries(variables).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
    return named.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join('');
}
function gemini_launch_createSettings({ endpoint, model, mcpServers, variables, stepsMax }) {
    return {
        security: {
            // With another endpoint it would choose a way to log in that it then refuses.
            auth: { selectedType: 'gemini-api-key' },
            // Keeps the key of the model, and other secrets, out of the shell that the model uses.
            environmentVariableRedaction: {
                enabled: true,
                allowed: Object.keys(variables),
                blocked: ['GEMINI_API_KEY'],
            },
        },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
        // It would end a run at the fifth equal call. The step limit is enough.
        model: { maxSessionTurns: stepsMax, disableLoopDetection: true },
        // Ignores a `.env` of the workspace.
        advanced: { ignoreLocalEnv: true },
        context: {
            fileName: ['GEMINI.md', 'AGENTS.md'],
            // In the other form, a word like @octocat in the instructions causes an error about a missing file.
            importFormat: 'flat',
        },
        ...(endpoint.root === ownEndpoint ? {} : { modelConfigs: { customOverrides: askOneModel(model) } }),
        mcpServers: Object.fromEntries(mcpServers.map(server => [server.name, describeServer(server)])),
    };
}
/** For a summary or a correction it asks other models of its provider, which another endpoint may not have. */
function askOneModel(model) {
    return ['base', 'chat-compression-default'].map(name => ({ match: { model: name }, modelConfig: { model } }));
}
function describeServer(server) {
    if (server.type === 'stdio')
        return {
            command: writeDollars(server.command, '$'),
            args: server.args.map(arg => writeDollars(arg, '$')),
            env: writeEach(server.env),
            trust: true,
        };
    return { httpUrl: writeDollars(server.url, '$'), headers: writeEach(server.headers), trust: true };
}
/** Variables and headers are expanded twice. */
function writeEach(texts) {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, writeDollars(text, '\\$')]));
}
/**
 * Settings name variables as `$NAME`. The text after `:-` is used if the variable is missing, and is not expanded
 * again.
 */
function writeDollars(text, dollar) {
    return text.replaceAll('$', () => `\${AGENT_RUN_NO_VARIABLE:-${dollar}}`);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/gemini/gemini-faults.js


/** Messages that say more than a status. */
const gemini_faults_wordings = [
    [/max session turns|maximum session turns/i, 'step_limit'],
    [/API_KEY_INVALID|API key not valid/, 'auth'],
    [/input token count .*exceeds|context_length_exceeded|prompt is too long/i, 'context_length'],
    [/response was blocked/, 'refusal'],
    [/exceeded the token limit/, 'output_limit'],
    [/empty response|no final response text/, 'no_result'],
    [/^(terminated|.*fetch failed.*)$|ECONN|ENOTFOUND|EAI_AGAIN|socket hang up|incomplete json/i, 'network'],
    [/ended without a finish reason/, 'provider'],
];
/**
 * Why the program failed: from the `error` of its result or an earlier complaint, otherwise from the status of the
 * answer.
 */
function explainGeminiEnd(error, complaint, { exitCode, outputTail }) {
    const told = (0,json/* isObject */.Gv)(error) && typeof error.message === 'string' ? error.message : (complaint ?? '');
    const answer = gemini_faults_readAnswer(told);
    const kind = faultOfWords(gemini_faults_wordings, told, answer.message);
    const httpStatus = answer.status ?? findStatus(exitCode, outputTail);
    const fault = kind ?? (httpStatus === undefined ? 'harness' : agent_fault_faultOfStatus(httpStatus));
    return { fault, httpStatus, message: answer.message };
}
/** The endpoint's message: `[API Error: …]` around a text, or around the JSON that came. */
function gemini_faults_readAnswer(told) {
    const inner = /^\[API Error: (.*)\]/s.exec(told)?.[1] ?? told;
    const { code, message } = parseError(inner) ?? {};
    return {
        status: typeof code === 'number' ? code : undefined,
        message: typeof message === 'string' ? message : inner,
    };
}
function parseError(text) {
    try {
        const body = JSON.parse(text);
        return (0,json/* isObject */.Gv)(body) && (0,json/* isObject */.Gv)(body.error) ? body.error : undefined;
    }
    catch {
        return undefined;
    }
}
/** The exit code is the last byte of a status. The error on standard error has all of it. */
function findStatus(exitCode, outputTail) {
    if (exitCode !== undefined && exitCode >= 144 && exitCode < 256)
        return exitCode + 256;
    const printed = /^ {2}(?:code|status): (\d{3})\n\}\s*$/m.exec(outputTail)?.[1];
    return exitCode === 1 && printed !== undefined ? Number(printed) : undefined;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/gemini/gemini-reader.js



/**
 * Reads the lines of `--output-format stream-json`: `init`, then pieces of the model's text, tool calls and their
 * results, and a `result` at the end. A model's answer is its text and calls up to the first tool result.
 */
function createGeminiReader({ mcpServers }) {
    const openCalls = new Set();
    let sessionId;
    let steps = 0;
    let isAnswering = false;
    /** Text of the current answer that is not in an event yet. */
    let untold = '';
    /** Text of the current answer. */
    let answer = '';
    /** The program's last complaint, if nothing good followed. */
    let complaint;
    let result;
    const beginAnswer = () => {
        if (isAnswering)
            return;
        isAnswering = true;
        answer = '';
        steps += 1;
    };
    const flushText = () => {
        const text = untold;
        untold = '';
        return text.trim() === '' ? [] : [createMessage(text)];
    };
    const readCall = (event) => {
        beginAnswer();
        const id = event_parts_readText(event.tool_id);
        remember(openCalls, id);
        const name = nameTool(event_parts_readText(event.tool_name), 'mcp_', mcpServers);
        return { type: 'tool_call', data: { id, name, input: event.parameters ?? {} } };
    };
    const readToolResult = ({ tool_id, status, output, error }) => {
        const id = event_parts_readText(tool_id);
        isAnswering = false;
        openCalls.delete(id);
        const data = { id, output: output ?? event_parts_readText(readObject(error).message), is_error: status !== 'success' };
        return { type: 'tool_result', data };
    };
    return {
        read(event) {
            switch (event.type) {
                case 'init':
                    sessionId = event_parts_readText(event.session_id) || undefined;
                    return [];
                case 'message': {
                    // Events after the end are not an answer, and clear no complaint.
                    if (event.role !== 'assistant' || result !== undefined)
                        return [];
                    beginAnswer();
                    const piece = event_parts_readText(event.content);
                    // A call clears no complaint, because its outcome is unknown.
                    if (piece.trim() !== '')
                        complaint = undefined;
                    answer += piece;
                    untold += piece;
                    return [];
                }
                case 'tool_use':
                    return [...flushText(), readCall(event)];
                case 'tool_result':
                    return [...flushText(), readToolResult(event)];
                case 'error':
                    complaint = event_parts_readText(event.message);
                    return [...flushText(), tellLine(`Gemini CLI: ${complaint}`)];
                case 'result':
                    result = event;
                    return [...flushText(), ...readUsage(event.stats, steps)];
                default:
                    return [];
            }
        },
        claim(exit) {
            // After a call without a result, the answer is not complete.
            const text = isAnswering && openCalls.size === 0 ? answer : '';
            if (result === undefined)
                return { kind: 'none', text };
            if (result.status === 'success' && complaint === undefined)
                return { kind: 'succeeded', text };
            return { kind: 'failed', text, ...explainGeminiEnd(result.error, complaint, exit) };
        },
        get steps() {
            return steps;
        },
        get isToolRunning() {
            return openCalls.size > 0;
        },
        get sessionId() {
            // Without an answer it stores no session, so it cannot continue one.
            return steps > 0 ? sessionId : undefined;
        },
    };
}
/** Usage of this run alone. Tokens of reasoning are only in the total. */
function readUsage(stats, requests) {
    if (!(0,json/* isObject */.Gv)(stats))
        return [];
    const input = readCount(stats.input_tokens);
    const said = readCount(stats.output_tokens);
    const reasoning = readCount(readCount(stats.total_tokens) - input - said);
    const data = {
        input_tokens: input,
        output_tokens: said + reasoning,
        cached_tokens: readCount(stats.cached),
        reasoning_tokens: reasoning,
        requests,
    };
    return [{ type: 'usage', data: { ...data } }];
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/gemini/gemini.js


/** Gemini CLI, for endpoints of Gemini's API. Tested with 0.61.0. */
const geminiAdapter = {
    title: 'Gemini CLI',
    apis: ['gemini'],
    program: 'gemini',
    versionArgs: ['--version'],
    launch: launchGemini,
    createReader: createGeminiReader,
};

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode-plugin.js
/** Folders of the program itself. The model's shell uses those of its user. */
const folderVariables = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];
/**
 * Source of a plugin that opencode runs. By itself opencode prints a part of an answer only when it is complete, and
 * reports no running tool, retry, subagent, unusable MCP server, or which answer is only a summary that shortens the
 * conversation. The plugin prints `agent_run_session` for a session that begins or retries, `agent_run_mcp` for the
 * servers, `agent_run_summary` for the message of a summary, `agent_run_part` for a part of an answer that begins or
 * ends, and from time to time `agent_run_life` while one grows.
 */
const pluginText = `
const print = line => process.stdout.write(JSON.stringify(line) + '\\n');
const told = new Set();
let lifeMs = 0;
let servers;

/** When the model begins to answer, they have been asked for their tools. */
async function printServers(client) {
  const { data } = await client.mcp.status();
  if (data) print({ type: 'agent_run_mcp', servers: data });
}

function printLife() {
  if (Date.now() - lifeMs < 10000) return;
  lifeMs = Date.now();
  print({ type: 'agent_run_life' });
}

function printPart(part) {
  if (!['step-start', 'step-finish', 'reasoning', 'text', 'tool'].includes(part.type)) return;
  // A text without a duration is the prompt.
  if (part.type === 'text' && part.time === undefined) return;
  const stage = part.type === 'tool' ? part.state.status : part.time?.end === undefined ? 'begun' : 'over';
  if (stage === 'pending') return;
  const news = part.id + ' ' + stage;
  if (told.has(news)) return printLife();
  told.add(news);
  print({ type: 'agent_run_part', part });
}

export const AgentRun = async ({ client }) => ({
  event: async ({ event: { type, properties } }) => {
    if (type === 'session.created') {
      const { id, parentID } = properties.info;
      print({ type: 'agent_run_session', sessionID: id, parentID });
    } else if (type === 'session.status' && properties.status.type === 'retry') {
      print({ type: 'agent_run_session', ...properties });
    } else if (type === 'message.updated') {
      const { id, role, summary } = properties.info;
      if (role !== 'assistant' || summary !== true || told.has(id)) return;
      told.add(id);
      print({ type: 'agent_run_summary', messageID: id });
    } else if (type === 'message.part.updated') {
      printPart(properties.part);
      if (properties.part.type === 'step-start') servers ??= printServers(client).catch(() => {});
    } else if (type === 'message.part.delta') printLife();
  },
  'shell.env': async (_input, { env }) => {
    for (const name of ${JSON.stringify(folderVariables)}) env[name] = '';
  },
});
`.trimStart();

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode-launch.js

/** Below the state folder. */
const opencode_launch_home = 'opencode';
const settingsFolder = `${opencode_launch_home}/config/opencode`;
const provider = 'run';
/** The package for an API, which the program includes, and the path that it expects after the endpoint's root. */
const opencode_launch_packages = {
    'openai-chat': { npm: '@ai-sdk/openai-compatible', path: '/v1' },
    'openai-responses': { npm: '@ai-sdk/openai', path: '/v1' },
    anthropic: { npm: '@ai-sdk/anthropic', path: '/v1' },
    gemini: { npm: '@ai-sdk/google', path: '/v1beta' },
};
/**
 * Disables traffic to hosts other than the endpoint, and settings of the workspace: they would run with the rights of
 * the server.
 */
const opencode_launch_quiet = {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
};
function launchOpencode(spec) {
    const { model, prompt, instructions, stateDir, resume } = spec;
    const folder = `${stateDir}/${opencode_launch_home}`;
    const folders = folderVariables.map(name => [
        name,
        `${folder}/${name.slice('XDG_'.length, -'_HOME'.length).toLowerCase()}`,
    ]);
    return {
        args: [
            'run',
            '--format',
            'json',
            '--auto',
            '--model',
            `${provider}/${model}`,
            // Otherwise it asks the model for a title.
            '--title',
            'run',
            ...(resume === undefined ? [] : ['--session', resume]),
        ],
        env: { ...opencode_launch_quiet, ...Object.fromEntries(folders), OPENCODE_CONFIG: `${folder}/opencode.json` },
        stdin: prompt,
        files: [
            { path: `${opencode_launch_home}/opencode.json`, text: printSettings(opencode_launch_createSettings(spec, folder)) },
            { path: `${opencode_launch_home}/plugin.js`, text: pluginText },
            { path: `${opencode_launch_home}/instructions.md`, text: instructions },
            ...pretendInstalled,
        ],
        skillsFolder: `${settingsFolder}/skills`,
    };
}
/** At its first start it downloads a package of plugin types from npm, unless it finds that it has done so. */
const pretendInstalled = [
    {
        path: `${settingsFolder}/package-lock.json`,
        text: JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } }),
    },
    {
        path: `${settingsFolder}/node_modules/.package-lock.json`,
        text: JSON.stringify({ lockfileVersion: 3, packages: {} }),
    },
];
function opencode_launch_createSettings({ endpoint, model, mcpServers, workspace }, folder) {
    const { npm, path } = opencode_launch_packages[endpoint.api];
    return {
        autoupdate: false,
        share: 'disabled',
        // Otherwise it copies the workspace after each step, for undo.
        snapshot: false,
        permission: 'allow',
        small_model: `${provider}/${model}`,
        provider: {
            [provider]: {
                npm,
                // In the file, so it is in no environment that a tool sees. Without a key a package looks for one itself.
                options: {
                    baseURL: `${endpoint.root}${path}`,
                    apiKey: endpoint.apiKey ?? 'none',
                    ...(endpoint.headers && { headers: endpoint.headers }),
                },
                models: { [model]: {} },
            },
        },
        // The second one by its path: it is not read as a setting of the workspace.
        instructions: [`${folder}/instructions.md`, `${workspace}/AGENTS.md`],
        plugin: [`file://${folder}/plugin.js`],
        mcp: Object.fromEntries(mcpServers.map(server => [server.name, opencode_launch_describeServer(server)])),
    };
}
function opencode_launch_describeServer(server) {
    if (server.type === 'stdio')
        return { type: 'local', command: [server.command, ...server.args], environment: server.env };
    return { type: 'remote', url: server.url, headers: server.headers, oauth: false };
}
/** `{env:…}` and `{file:…}` in the text of its settings are replaced before it is parsed as JSON. */
function printSettings(settings) {
    return JSON.stringify(settings).replaceAll(/\{(?=env:|file:)/g, '\\u007b');
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode-faults.js


const names = {
    ProviderAuthError: 'auth',
    ContextOverflowError: 'context_length',
    MessageOutputLengthError: 'output_limit',
    ContentFilterError: 'refusal',
};
const opencode_faults_wordings = [
    [/API_KEY_INVALID|API key not valid/, 'auth'],
    [/"type":"(server|overloaded|api)_error"/, 'provider'],
    [
        /cannot connect|unable to connect|connection (reset|closed|error)|ECONN|ENOTFOUND|EAI_AGAIN|socket|fetch failed/i,
        'network',
    ],
];
/** The `error` of an event: `{ name, data: { message, statusCode } }`. */
function explainOpencodeError(error) {
    const name = event_parts_readText(readObject(error).name);
    const { message, statusCode } = readObject(readObject(error).data);
    const said = event_parts_readText(message) || name;
    const httpStatus = typeof statusCode === 'number' ? statusCode : undefined;
    const kind = (Object.hasOwn(names, name) ? names[name] : undefined) ?? faultOfWords(opencode_faults_wordings, said);
    const fault = kind ?? (httpStatus === undefined ? 'harness' : agent_fault_faultOfStatus(httpStatus));
    return { fault, httpStatus, message: unwrapMessage(said) };
}
/** An error in mid-stream arrives as JSON text. */
function unwrapMessage(text) {
    if (!text.startsWith('{'))
        return text;
    try {
        const { message, error } = readObject(JSON.parse(text));
        return event_parts_readText(message) || event_parts_readText(readObject(error).message) || text;
    }
    catch {
        return text;
    }
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode-usage.js

/**
 * Sums the usage of all answers: `{ tokens: { input, output, reasoning, cache: { read, write } } }`, where no number
 * includes another.
 */
function createUsageSum() {
    const sum = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, requests: 0 };
    return {
        add(part) {
            const { input, output, reasoning, cache } = readObject(part.tokens);
            const { read, write } = readObject(cache);
            sum.input_tokens += readCount(input) + readCount(read) + readCount(write);
            sum.output_tokens += readCount(output) + readCount(reasoning);
            sum.cached_tokens += readCount(read);
            sum.reasoning_tokens += readCount(reasoning);
            sum.requests += 1;
            return { ...sum };
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode-reader.js





/** Lines with a part of an answer: those of the plugin, and the program's own. */
const partLines = new Set(['agent_run_part', 'step_start', 'text', 'tool_use', 'step_finish']);
/** Starts a subagent. Its silence is that of a model, not of a tool. */
const delegate = 'task';
const opencode_reader_thoughtMax = 400;
/** Per answer: events of tool calls that wait for the text before them. */
const heldMax = 50;
/**
 * Reads the lines of `--format json` and those of the plugin (opencode-plugin.ts), which reports the same parts
 * earlier. The first report of a part counts. The program does not report its end: it succeeded if its last answer
 * ended with `stop` and no error followed.
 */
function createOpencodeReader({ mcpServers, deadServers, }) {
    /** Finished parts and calls. */
    const done = new Set();
    const reportedCalls = new Set();
    const openCalls = new Set();
    const openTexts = new Set();
    /** Messages in which the program summarizes the conversation. */
    const summaries = new Set();
    /** Events of calls that began before the text before them was complete. */
    let held = [];
    const usage = createUsageSum();
    const dead = new Set(deadServers);
    let sessionId;
    let steps = 0;
    /** Without those of subagents. */
    let ownSteps = 0;
    /** Text of the last answer. */
    let answer = '';
    /** How the last answer ended. Undefined while there is none or it is in progress. */
    let reason;
    let error;
    /**
     * Answers that had begun before the error, and those up to the last that ended. A later answer clears an error; the
     * answer that it interrupted does not.
     */
    let errorStep = 0;
    let endedStep = 0;
    /** By the lines of the program. They come later than those of the plugin, but in the order of its errors. */
    const begun = new Set();
    const finish = (id) => {
        if (done.has(id))
            return false;
        remember(done, id);
        return true;
    };
    const release = () => {
        if (openTexts.size > 0 && held.length < heldMax)
            return [];
        const events = held;
        held = [];
        return events;
    };
    const readWords = (part) => {
        const id = event_parts_readText(part.id);
        if (done.has(id) || !(0,json/* isObject */.Gv)(part.time))
            return [];
        if (part.time.end === undefined) {
            remember(openTexts, id);
            return [];
        }
        finish(id);
        openTexts.delete(id);
        const text = event_parts_readText(part.text);
        if (part.type === 'text')
            answer += text;
        if (text.trim() === '')
            return release();
        const told = part.type === 'text' ? createMessage(text) : tellLine(`thinking: ${(0,base_text/* ellipsis */.gO)(text, opencode_reader_thoughtMax)}`);
        return [told, ...release()];
    };
    const readTool = (part) => {
        const id = event_parts_readText(part.callID);
        if (done.has(id))
            return [];
        const name = event_parts_readText(part.tool);
        const { status, input = {}, output = '', error: fault = '', metadata } = readObject(part.state);
        if (!reportedCalls.has(id)) {
            remember(reportedCalls, id);
            if (name !== delegate)
                remember(openCalls, id);
            held.push({ type: 'tool_call', data: { id, name: nameTool(name, '', mcpServers), input } });
        }
        const isError = status === 'error';
        if (status === 'completed' || isError) {
            finish(id);
            openCalls.delete(id);
            const exit = readExitCode(readObject(metadata).exit);
            held.push({ type: 'tool_result', data: { id, output: isError ? fault : output, is_error: isError, ...exit } });
        }
        return release();
    };
    const readPart = (part, isProgram) => {
        sessionId ??= event_parts_readText(part.sessionID) || undefined;
        // A subagent has its own session: its answers count as usage, but not as answers of the run. The same goes for
        // summaries, and for the program's messages to the model.
        const isOwn = part.sessionID === sessionId && !summaries.has(event_parts_readText(part.messageID)) && part.synthetic !== true;
        switch (part.type) {
            case 'step-start':
                if (isOwn && isProgram)
                    remember(begun, event_parts_readText(part.id));
                if (!finish(event_parts_readText(part.id)))
                    return [];
                steps += 1;
                if (!isOwn)
                    return [];
                ownSteps += 1;
                answer = '';
                reason = undefined;
                openTexts.clear();
                return release();
            case 'reasoning':
            case 'text':
                return isOwn ? readWords(part) : [];
            case 'tool':
                return readTool(part);
            case 'step-finish':
                if (!finish(event_parts_readText(part.id)))
                    return [];
                if (isOwn) {
                    reason = event_parts_readText(part.reason);
                    endedStep = ownSteps;
                    openTexts.clear();
                }
                return [...release(), { type: 'usage', data: { ...usage.add(part) } }];
            default:
                return [];
        }
    };
    const readSession = ({ sessionID, parentID, status }) => {
        if (parentID === undefined)
            sessionId ??= event_parts_readText(sessionID) || undefined;
        if (!(0,json/* isObject */.Gv)(status))
            return [];
        const message = unwrapMessage(event_parts_readText(status.message));
        return [tellLine(`the model did not answer: ${message}; starting try ${Number(status.attempt) + 1}`)];
    };
    const readServers = (servers) => mcpServers.flatMap(({ name }) => {
        const { status, error: fault } = readObject(readObject(servers)[name]);
        if (status === undefined || status === 'connected' || dead.has(name))
            return [];
        dead.add(name);
        return [createWarning(`the MCP server ${name} cannot be used: ${event_parts_readText(fault) || event_parts_readText(status)}`)];
    });
    return {
        read(event) {
            if (partLines.has(event.type))
                return readPart(readObject(event.part), event.type !== 'agent_run_part');
            switch (event.type) {
                case 'agent_run_session':
                    return readSession(event);
                case 'agent_run_summary':
                    remember(summaries, event_parts_readText(event.messageID));
                    return [tellLine('opencode: summarizing the conversation to shorten it')];
                case 'agent_run_mcp':
                    return readServers(event.servers);
                case 'error':
                    sessionId ??= event_parts_readText(event.sessionID) || undefined;
                    error = event.error;
                    errorStep = begun.size;
                    return [tellLine(`opencode: ${explainOpencodeError(error).message}`)];
                default:
                    return [];
            }
        },
        claim() {
            if (error !== undefined && errorStep >= endedStep)
                return { kind: 'failed', text: answer, ...explainOpencodeError(error) };
            const claim = judge(reason, answer, error !== undefined);
            const missing = mcpServers.find(({ name, required }) => required && dead.has(name));
            if (claim.kind !== 'succeeded' || missing === undefined)
                return claim;
            return { ...claim, kind: 'failed', fault: 'mcp_server', message: missing.name };
        },
        get steps() {
            return steps;
        },
        get isToolRunning() {
            return openCalls.size > 0;
        },
        get sessionId() {
            return sessionId;
        },
    };
}
/** By how the last answer ended. After any error the program exits with 1. */
function judge(reason, text, isOvercome) {
    if (reason === undefined)
        return { kind: 'none', text };
    if (reason === 'stop')
        return { kind: 'succeeded', text, ...(isOvercome && { exitCode: 1 }) };
    if (reason === 'length')
        return { kind: 'failed', text, fault: 'output_limit', message: '' };
    if (reason === 'content-filter')
        return { kind: 'failed', text, fault: 'refusal', message: '' };
    return { kind: 'failed', text, fault: 'harness', message: `its last answer ended with ${JSON.stringify(reason)}` };
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/opencode/opencode.js


/** opencode, for endpoints of any of the four APIs. Tested with 1.18.33. */
const opencodeAdapter = {
    title: 'opencode',
    apis: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'],
    program: 'opencode',
    versionArgs: ['--version'],
    launch: launchOpencode,
    createReader: createOpencodeReader,
};

;// CONCATENATED MODULE: ./build/js/server/harness/agents/agent-table.js





/** The agent programs that a configuration can name. */
const agent_table_agentAdapters = {
    builtin: builtinAdapter,
    claude: claudeAdapter,
    codex: codexAdapter,
    gemini: geminiAdapter,
    opencode: opencodeAdapter,
};

// EXTERNAL MODULE: ./build/js/contract/tables/skill-spec.js
var skill_spec = __webpack_require__(9608);
;// CONCATENATED MODULE: ./build/js/contract/config.js



/** A skill as text. The error for any other text shows both forms. */
const skillSpecText = schemas/* string */.YjP()
    .superRefine((text, context) => {
    try {
        (0,skill_spec/* parseSkillSpec */.el)(text);
    }
    catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    }
})
    .describe('`owner/repo:skill-name` or `owner/repo:path/to/SKILL.md`');
/** A text of at most `maxBytes` in UTF-8, without NUL, which no database stores reliably. */
function boundedText(maxBytes) {
    return schemas/* string */.YjP()
        .refine(text => text.length <= maxBytes && (0,sizes/* utf8Bytes */.d)(text) <= maxBytes, `is longer than ${maxBytes} bytes`)
        .refine(text => !text.includes('\0'), 'has a NUL character');
}
/** At most `max` code points. */
function boundedLabel(max) {
    return schemas/* string */.YjP()
        .refine(text => text.length <= max || hasAtMost(text, max), `is longer than ${max} characters`)
        .refine(text => !text.includes('\0'), 'has a NUL character');
}
/** A code point takes one or two UTF-16 units. */
function hasAtMost(text, max) {
    return text.length <= 2 * max && Array.from(text).length <= max;
}
/** A text with known words. Editors offer those; other words are passed on. */
function openWord(words) {
    // The schema accepts any text. Only the type is narrower.
    return schemas/* string */.YjP().describe(`One of ${words.join(', ')}; newer servers may add more`);
}
/** The harnesses that every client of the interface knows. */
const harnessTypes = ['oz', 'claude', 'codex', 'gemini'];
const mcpServerSchema = schemas/* looseObject */._H3({
    warp_id: schemas/* string */.YjP().optional(),
    command: schemas/* string */.YjP().optional(),
    args: schemas/* array */.YOg(schemas/* string */.YjP()).max(sizes/* sizes */.L.configListEntries).optional(),
    env: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()).optional(),
    url: schemas/* string */.YjP().optional(),
    headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()).optional(),
});
/** How to carry out a run: `config` in a request, `agent_config` in a response. Unknown members are ignored. */
const configSchema = schemas/* object */.Ikc({
    name: boundedLabel(sizes/* sizes */.L.nameCodePoints)
        .optional()
        .describe("Label for grouping and for the `name` filter. Default with a skill: the skill's name"),
    model_id: boundedLabel(sizes/* sizes */.L.nameCodePoints).optional().describe('The model, by the name that the harness uses'),
    base_prompt: boundedText(sizes/* sizes */.L.basePromptBytes).optional().describe('Instructions placed before those of the skill'),
    environment_id: schemas/* string */.YjP().optional().describe('The uid or name of an environment of the server'),
    skill_spec: skillSpecText.optional(),
    skills: schemas/* array */.YOg(skillSpecText)
        .max(sizes/* sizes */.L.configListEntries)
        .optional()
        .describe('A list of skills, instead of skill_spec'),
    harness: schemas/* looseObject */._H3({
        type: openWord(harnessTypes)
            .optional()
            .describe('`claude`, `codex` or `gemini` for these programs, `oz` for any other harness. A request may also give a harness name'),
        name: schemas/* string */.YjP().optional().describe("The server's name for the harness. Default: the server's default harness"),
        model_id: boundedLabel(sizes/* sizes */.L.nameCodePoints).optional().describe('The same as config.model_id'),
        reasoning_level: schemas/* string */.YjP().optional(),
    })
        .optional(),
    output_schema: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())
        .optional()
        .describe('JSON Schema that the structured result must match'),
    mcp_servers: schemas/* record */.g1P(schemas/* string */.YjP(), mcpServerSchema).optional(),
    computer_use_enabled: schemas/* boolean */.zMY().optional(),
    computer_use_model_id: schemas/* string */.YjP().optional(),
    idle_timeout_minutes: schemas/* int */.Whr()
        .min(1)
        .max(60)
        .optional()
        .describe('How many minutes to keep the workspace after the run'),
    worker_host: schemas/* string */.YjP().optional().describe('Only `warp` is accepted. It means this server'),
    harness_auth_secrets: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    session_sharing: schemas/* looseObject */._H3({ public_access: openWord(['VIEWER', 'EDITOR']).optional() }).optional(),
    memory_stores: schemas/* array */.YOg(schemas/* looseObject */._H3({ uid: schemas/* string */.YjP(), access: openWord(['read_write', 'read_only']), instructions: schemas/* string */.YjP() }))
        .max(sizes/* sizes */.L.configListEntries)
        .optional(),
    inference_providers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    credential_strategy: openWord(['CREATOR', 'EXECUTOR']).nullable().optional(),
    runner_id: schemas/* string */.YjP().optional(),
});

// EXTERNAL MODULE: ./build/js/border/visible-text.js
var visible_text = __webpack_require__(1043);
// EXTERNAL MODULE: ./build/js/contract/tables/run-text.js
var run_text = __webpack_require__(3956);
// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
;// CONCATENATED MODULE: ./build/js/server/harness/ending-text.js



/** How much output is searched, and how much is shown. */
const lineCounts = { read: 120, shown: 3 };
const lengthMax = 600;
const complaints = /\b(error|fatal|fail(s|ed|ure)?|cannot|can't|could not|unable|not found|no such|denied|refused|invalid|unknown|missing|unrecognized|not permitted|does not exist|panic|traceback)\b|(Error|Exception)\b/i;
/** System error code such as ENOENT. */
const systemCode = /\bE[A-Z]{4,}\b/;
/** Phrases such as `0 errors`, which do not report a fault. */
const noise = /\b(0|no) (errors|failures|failed)\b/i;
/** Prefix of npm's lines about an error. The first line is the error; the others are mostly advice. */
const npmMark = /^npm (error|ERR!)/;
const npmNoise = /^npm (error|ERR!)( (code|errno|syscall|path) .*| A complete log of this run .*)?$/;
/**
 * `. It printed: cannot read the config`: a sentence about a failed program's last lines with an error, otherwise its
 * last lines. They are joined into one line, without colors and control characters.
 */
function ending_text_describeCause(output, who = 'It') {
    const lines = (0,base_text/* lastLines */.w$)((0,terminal_text/* withoutEscapes */.Lx)(output), lineCounts.read)
        .map(line => (0,terminal_text/* plainLine */.h0)(line).trim())
        .filter(line => line !== '' && !npmNoise.test(line));
    if (lines.length === 0)
        return `. ${who} printed nothing`;
    const complaining = lines.filter((line, index) => {
        const isFirstOfNpm = npmMark.test(line) && !npmMark.test(lines[index - 1] ?? '');
        return isFirstOfNpm || isComplaint(line.replace(npmMark, ''));
    });
    const shown = (complaining.length === 0 ? lines : complaining).slice(-lineCounts.shown);
    const points = Array.from(joinSentences(shown));
    const tail = points.length <= lengthMax ? points.join('') : `…${points.slice(1 - lengthMax).join('')}`;
    return `. ${who} printed: ${tail}`;
}
function isComplaint(line) {
    const head = line.slice(0, lengthMax);
    return (complaints.test(head) || systemCode.test(head)) && !noise.test(head);
}
/** Joins lines into one, each with a sentence end. */
function joinSentences(lines) {
    return lines
        .map((line, index) => (index === lines.length - 1 || /[.:;,!?]$/.test(line) ? line : `${line}.`))
        .join(' ');
}
/** `exit code 3`, with the signal that a shell means by a code above 128: `exit code 137 (128 + 9, SIGKILL)`. */
function describeExitCode(code) {
    const signal = Object.entries(external_node_os_.constants.signals).find(([, number]) => number === code - 128)?.[0];
    return signal === undefined ? `exit code ${code}` : `exit code ${code} (128 + ${code - 128}, ${signal})`;
}

;// CONCATENATED MODULE: ./build/js/server/harness/harness.js
/** The run FAILS with this code and message before any program starts. */
class HarnessRefusal extends Error {
    name = 'HarnessRefusal';
    code;
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
/** `refuse` of a harness without an agent of ours, which cannot pass these on. */
function refuseForAgents(name) {
    return ({ mcpServers, moreSkills }) => {
        if (mcpServers.length > 0)
            return `config.mcp_servers: the harness ${name} has no agent that can use MCP servers; remove them, or choose a harness with an agent`;
        if (moreSkills)
            return `config.skills: the harness ${name} supports one skill, whose text comes before the prompt; remove the others, or choose a harness with an agent`;
        return undefined;
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/run-redactor.js
/** An agent can print its variables, and its output is shown. */

/** Secrets of the server that an agent can find on this machine. */
const ofServers = new Set();
/** Redacts a secret of the server in every run that begins from now on. The returned function ends that. */
function redactAlways(secret) {
    ofServers.add(secret);
    return () => void ofServers.delete(secret);
}
function createRunRedactor(secrets) {
    return (0,border_secrets/* createRedactor */.lY)([...secrets, ...ofServers]);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/agent-redactor.js


/** Headers of every request, which contain no key. */
const plainHeader = /^(accept|content-type|user-agent)$/i;
/**
 * Secrets that an agent was given: the key of the model; the headers of its endpoint; for MCP servers the headers, the
 * query of the address, and values expanded from secret variables; and values in variables and addresses that look
 * like secrets.
 */
function createAgentRedactor({ endpoint, mcpServers, variables, }) {
    const secrets = new Set((0,secret_variables/* findSecrets */.dL)(variables));
    const add = (value) => {
        if (value !== undefined && value.length >= secret_variables/* secretLengthMin */.fM)
            secrets.add(value);
    };
    add(endpoint.apiKey);
    for (const value of Object.values(endpoint.headers ?? {}))
        add(value);
    for (const server of mcpServers) {
        const named = server.type === 'stdio' ? server.env : { url: server.url };
        for (const secret of (0,secret_variables/* findSecrets */.dL)(named))
            secrets.add(secret);
        if (server.type === 'stdio')
            continue;
        for (const value of URL.parse(server.url)?.searchParams.values() ?? [])
            add(value);
        for (const [name, value] of Object.entries(server.headers)) {
            if (plainHeader.test(name))
                continue;
            // The part after the scheme, as in `Bearer …`.
            add(value.replace(/^(Bearer|Basic|token) /i, ''));
            const [, encoded] = /^Basic (.+)/i.exec(value) ?? [];
            const login = Buffer.from(encoded ?? '', 'base64').toString();
            for (const secret of [login, login.slice(login.indexOf(':') + 1)])
                add(secret);
            // A cookie is also printed by itself.
            if (/^cookie$/i.test(name))
                for (const [, each] of value.matchAll(/=([^;]+)/g))
                    add(each);
        }
    }
    return createRunRedactor(secrets);
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/event-reading.js
/** Turns the lines of an agent program into events. The lines are untrusted, so time and memory are limited. */



/**
 * Limit on the events of one run, in characters. Readers remember ids and collect texts, and tools can write to the
 * program's output.
 */
const eventCharactersMax = 128 * 1024 * 1024;
/**
 * Limit on lines that begin like an event but are not JSON. Each costs as much as a thousand others, because parsing
 * throws. Programs print a few.
 */
const brokenMax = 10_000;
/** Logged when a program printed too many events. */
const tooManyEvents = `it printed more than ${eventCharactersMax / 1024 / 1024} MiB of events, or ${brokenMax} invalid lines, so the rest was not read`;
/** Limit on arrays, objects and members of one line. Each costs time, and parsing blocks the server. */
const valuesMax = 200_000;
/**
 * Programs name sessions by UUIDs and the like. The id is stored, shown and passed to the program again, which must
 * not take it for an option.
 */
const sessionForm = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;
/** Redacts before reading, because readers shorten texts, and again afterwards, because they join pieces. */
function readEventLines(reader, redact) {
    let characters = 0;
    let broken = 0;
    let isFull = false;
    const noteBroken = () => {
        broken += 1;
        isFull ||= broken > brokenMax;
    };
    return {
        readLine(line) {
            if (isFull || !line.startsWith('{'))
                return undefined;
            const event = parseEvent(line);
            if (event === undefined)
                return noteBroken();
            characters += line.length;
            isFull = characters > eventCharactersMax;
            try {
                const events = reader.read((0,border_secrets/* redactValue */.FI)(event, redact));
                return events && (0,border_secrets/* redactValue */.FI)(events, redact);
            }
            catch {
                // Written by one of its tools: for example, an object with a `toString` instead of a number.
                return noteBroken();
            }
        },
        get isFull() {
            return isFull;
        },
        get steps() {
            return reader.steps;
        },
        get isToolRunning() {
            return reader.isToolRunning;
        },
        get sessionId() {
            const { sessionId } = reader;
            return sessionId !== undefined && sessionForm.test(sessionId) ? sessionId : undefined;
        },
    };
}
function parseEvent(line) {
    if (hasManyValues(line))
        return undefined;
    try {
        const event = JSON.parse(line);
        return (0,json/* isObject */.Gv)(event) && !(0,json/* isNestedBeyond */.Jc)(event, sizes/* sizes */.L.jsonLevels) ? event : undefined;
    }
    catch {
        return undefined;
    }
}
/** Whether JSON has more values than an event ever has, counted without parsing. */
function hasManyValues(json) {
    if (json.length < valuesMax)
        return false;
    let values = 0;
    let isInText = false;
    for (let at = 0; at < json.length && values <= valuesMax; at += 1) {
        const code = json.charCodeAt(at);
        if (code === 0x22)
            isInText = !isInText;
        else if (isInText)
            at += code === 0x5c ? 1 : 0;
        else if (code === 0x2c || code === 0x5b || code === 0x7b)
            values += 1;
    }
    return values > valuesMax;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/in-container.js
/** Agents in containers: where their programs are, and which addresses they cannot reach. */






/**
 * A configured program is one of the image. Otherwise it is the one installed for agent-run on this machine, mounted
 * at the same path; otherwise the program of the usual name on the image's PATH. JavaScript is run by the image's
 * `node`.
 */
async function locateInContainer({ program: usual }, { program, agentsFolder }) {
    if (typeof usual !== 'string')
        return locateOwn(usual.file);
    if (program !== undefined)
        return { command: [program], readable: [] };
    if (agentsFolder !== undefined && programs_isAgentProgramName(usual)) {
        const pinned = programs_agentPrograms[usual];
        const folder = locateProgramFolder(agentsFolder, usual, pinned);
        const [first, ...rest] = commandIn(folder, pinned);
        const file = rest.at(-1) ?? first;
        if (program_file_isProgram(file))
            return { command: rest.length === 0 ? [first] : ['node', ...rest], readable: [folder] };
    }
    return { command: [usual], readable: [] };
}
/**
 * A program of this server, for the image's `node`. A bundle needs the folder around it. In a clone it needs the
 * sources and the packages that Node finds from there. Never mount the whole clone, which may contain the data
 * folder.
 */
function locateOwn(file) {
    const command = ['node', file];
    const at = file.lastIndexOf('/server/harness/');
    if (at === -1)
        return { command, readable: [(0,external_node_path_.dirname)(file)] };
    const code = file.slice(0, at);
    const readable = [code];
    for (let folder = (0,external_node_path_.dirname)(code); folder !== (0,external_node_path_.dirname)(folder); folder = (0,external_node_path_.dirname)(folder)) {
        readable.push(...['package.json', 'node_modules'].map(name => (0,external_node_path_.join)(folder, name)).filter(path => (0,external_node_fs_.existsSync)(path)));
    }
    return { command, readable };
}
/**
 * Why an address cannot be reached from a container, as a sentence that begins with it. Undefined if it may be
 * reachable.
 */
function in_container_describeUnreachable(address, network) {
    if (network === 'host')
        return undefined;
    if (network === 'none')
        return `${address} cannot be reached from the container, because \`docker.network\` of this server is none; choose another network`;
    const { hostname } = new URL(address);
    if (!(0,loopback/* isLoopback */.U)(hostname))
        return undefined;
    return `${address} points to the container itself when used inside a container; use an address that the container can reach, or set \`docker.network: host\` on this server`;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/state-files.js
/**
 * The files of an agent program in its state folder. An earlier run of the conversation may have put links there, so
 * no file is written or removed through a link.
 */



/** They may contain keys and headers of MCP servers. */
async function placeFiles(stateDir, files) {
    for (const { path, text } of files) {
        const file = (0,external_node_path_.join)(stateDir, path);
        await (0,folders/* makeRealFolder */.vK)(stateDir, (0,external_node_path_.dirname)(file));
        await (0,folders/* removeTree */.dM)(file);
        await (0,promises_.writeFile)(file, text, { mode: 0o600, flag: 'wx' });
    }
}
/** Removes those that are still in place. Never throws, because the call is not awaited. */
async function removeFiles(stateDir, files) {
    for (const { path } of files) {
        const file = (0,external_node_path_.join)(stateDir, path);
        if (await (0,folders/* isRealFolder */.jj)(stateDir, (0,external_node_path_.dirname)(file)))
            await (0,folders/* removeTree */.dM)(file).catch(() => { });
    }
}
async function linkSkills(stateDir, path, skills) {
    if (skills.length === 0)
        return;
    const folder = (0,external_node_path_.join)(stateDir, path);
    await (0,folders/* makeRealFolder */.vK)(stateDir, folder);
    for (const skill of skills)
        await (0,promises_.symlink)(skill.folder, (0,external_node_path_.join)(folder, (0,external_node_path_.basename)(skill.folder))).catch((error) => {
            // A continued conversation already has them. If two folders have one name, the first counts.
            if (error.code !== 'EEXIST')
                throw error;
        });
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/agent-harness.js












/**
 * The harness of an agent program. It succeeds if it exits with 0, reports success, and gives an answer. A reported
 * failure counts with any exit code.
 */
function createAgentHarness(name, adapter, settings) {
    const { endpoint, model: usual, models, steps, stallMs } = settings;
    if (!adapter.apis.includes(endpoint.api))
        throw new RangeError(`harnesses.${name}.endpoint.api: ${adapter.title} does not support ${endpoint.api}; use one of ${adapter.apis.join(', ')}`);
    if (models !== undefined && !models.includes(usual))
        throw new RangeError(`harnesses.${name}.models: must include the default model ${JSON.stringify(usual)}`);
    if (settings.program !== undefined && typeof adapter.program !== 'string')
        throw new RangeError(`harnesses.${name}.program: ${adapter.title} is part of the server; remove this setting`);
    return {
        name,
        defaultModel: usual,
        stepsMax: steps,
        stallMs,
        canResume: true,
        variables: settings.env,
        asksModel: true,
        // Our own agent does.
        checksMcpServers: typeof adapter.program !== 'string',
        refuse({ modelId, mcpServers, container }) {
            const unreachable = container && in_container_describeUnreachable(endpoint.root, container.network);
            if (unreachable !== undefined)
                return `config.harness.type: the model endpoint of ${name}: ${unreachable}`;
            const limited = mcpServers.find(({ tools }) => tools !== undefined);
            if (limited !== undefined && typeof adapter.program === 'string')
                return `config.mcp_servers.${limited.name}: ${adapter.title} cannot be limited to some tools of a server; remove the list of tools, or use the harness builtin`;
            if (modelId === undefined || models === undefined || models.includes(modelId))
                return undefined;
            return `config.model_id: the harness ${name} does not allow ${JSON.stringify(modelId)}; allowed: ${models.join(', ')}`;
        },
        async prepare(task) {
            const { command: program, readable } = task.image === undefined
                ? { command: await locate(name, adapter, settings, task.searchPath), readable: [] }
                : await locateInContainer(adapter, settings);
            const spec = createSpec(task, settings);
            const { args, env, stdin, files, skillsFolder } = adapter.launch(spec);
            await placeFiles(spec.stateDir, files);
            if (skillsFolder !== undefined)
                await linkSkills(spec.stateDir, skillsFolder, task.skills);
            const reader = adapter.createReader(spec);
            const redactor = createAgentRedactor(spec);
            const lines = readEventLines(reader, redactor.redact);
            return {
                argv: [...program, ...args],
                env: { ...settings.env, ...env },
                stdin,
                readable,
                reader: lines,
                redactor,
                forget: () => removeFiles(spec.stateDir, files),
                conclude: async (end) => (0,border_secrets/* redactValue */.FI)(conclude({ adapter, spec, redact: redactor.redact, reader, isFull: lines.isFull, end }), redactor.redact),
            };
        },
    };
}
/** Start of its command line. */
async function locate(name, { title, program: usual }, { program, agentsFolder, version, env }, serverPath) {
    if (typeof usual !== 'string')
        return [process.execPath, usual.file];
    const found = await agents_folder_findAgentProgram(usual, { program, agentsFolder, version, searchPath: env.PATH ?? serverPath });
    if (found !== undefined)
        return found.command;
    throw new HarnessRefusal('environment_setup_failed', `the harness ${name} ${agents_folder_describeMissingAgent(title, usual, program)}`);
}
function createSpec(task, { endpoint, model, steps }) {
    return {
        ...task,
        prompt: task.prompt.text.trim() === '' ? replaceEmptyPrompt(task) : task.prompt.text,
        instructions: task.instructions
            .map(({ text }) => text.trim())
            .filter(text => text !== '')
            .join('\n\n'),
        model: task.modelId ?? model,
        endpoint,
        newSessionId: (0,external_node_crypto_.randomUUID)(),
        resume: task.sessionId,
        stepsMax: steps,
    };
}
/** Programs refuse an empty prompt. A run may name only a skill, or a conversation to continue. */
function replaceEmptyPrompt({ sessionId }) {
    return sessionId === undefined ? 'Do what your instructions say.' : 'Go on.';
}
/** The rule for all programs. Text in the result file is an answer too, but never turns a failure into a success. */
function conclude({ adapter, spec, redact, reader, isFull, end }) {
    const { exitCode, signal, outputTail } = end;
    // Before a long message is shortened.
    const claim = (0,border_secrets/* redactValue */.FI)(reader.claim({ exitCode, signal, outputTail }), redact);
    const result = end.result ?? (claim.text === undefined ? undefined : (0,run_text/* wholeText */.r)(claim.text));
    if (isFull)
        return fail(adapter, spec, { fault: 'harness', message: tooManyEvents }, result);
    if (claim.kind === 'succeeded' && exitCode !== undefined && [0, claim.exitCode].includes(exitCode)) {
        if (result !== undefined && (0,visible_text/* isVisible */.zN)(result.text))
            return { state: 'SUCCEEDED', result };
        return fail(adapter, spec, { fault: 'no_result', message: '' });
    }
    return fail(adapter, spec, faultOf(claim, end), result);
}
function faultOf(claim, { exitCode, signal, outputTail }) {
    if (claim.kind === 'failed')
        return claim;
    const how = exitCode === undefined
        ? `was killed by ${signal ?? 'an unknown signal'}`
        : `ended with ${describeExitCode(exitCode)}`;
    const what = claim.kind === 'succeeded' ? 'although it reported success' : 'without reporting a result';
    return { fault: 'harness', message: `it ${how} ${what}${ending_text_describeCause(outputTail)}` };
}
function fail(adapter, { model, endpoint }, fault, result) {
    const { code, text, remedy } = agent_fault_explainFault(fault, {
        agent: adapter.title,
        model,
        endpoint: endpoint.root,
        key: endpoint.keyOrigin,
        address: endpoint.addressOrigin,
    });
    const message = remedy === '' ? text : `${text}. ${remedy}`;
    return { state: 'FAILED', code, message, result: result?.text === '' ? undefined : result };
}

;// CONCATENATED MODULE: ./build/js/server/harness/command-harness.js







/**
 * Runs one program of the configuration. Standard input and the file in AGENT_RUN_PROMPT_FILE contain the
 * instructions, an empty line and the prompt. It succeeds with exit code 0 and a result: the result file's text,
 * otherwise its standard output. Throws RangeError for a variable that the server sets itself.
 */
function createCommandHarness({ name, argv, env }) {
    const taken = Object.keys(env).filter(variable => variable.startsWith('AGENT_RUN_'));
    if (taken.length > 0)
        throw new RangeError(`harnesses.${name}.env: ${taken.join(', ')} cannot be passed on; names that start with AGENT_RUN_ are reserved for the service`);
    return {
        name,
        refuse: refuseForAgents(name),
        async prepare(task) {
            const stdin = [...task.instructions, task.prompt]
                .map(({ text }) => text)
                .filter(text => text.trim() !== '')
                .join('\n\n');
            const promptFile = (0,external_node_path_.join)(task.stateDir, 'prompt.md');
            await placeFiles(task.stateDir, [{ path: 'prompt.md', text: stdin }]);
            const redactor = createRunRedactor((0,secret_variables/* findSecrets */.dL)({ ...task.variables, ...env }));
            return {
                argv,
                env: { ...env, AGENT_RUN_PROMPT_FILE: promptFile },
                stdin,
                redactor,
                conclude: async (end) => (0,border_secrets/* redactValue */.FI)(concludeCommand(`the program ${(0,external_node_path_.basename)(argv[0])}`, end), redactor.redact),
            };
        },
    };
}
function concludeCommand(program, end) {
    const { exitCode, signal, result, stdout, outputTail } = end;
    if (exitCode === 0) {
        const answer = result ?? (stdout.text.trim() === '' ? undefined : stdout);
        if (answer !== undefined)
            return { state: 'SUCCEEDED', result: answer };
        return {
            state: 'FAILED',
            code: 'no_result',
            message: `${program} ended with exit code 0 and without a result. Print the result, or write it to the file that AGENT_RUN_RESULT names`,
        };
    }
    const how = exitCode === undefined
        ? `was killed by ${signal ?? 'an unknown signal'}`
        : `ended with ${describeExitCode(exitCode)}`;
    return {
        state: 'FAILED',
        code: 'agent_failed',
        message: `${program} ${how}${ending_text_describeCause(outputTail)}`,
        result,
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/script-harness.js












const languages = ['sh', 'bash', 'shell'];
/**
 * Runs the blocks one after another and records its progress. Its own messages are discarded, because bash would
 * report a killed block in the middle of the run's log. The blocks have the real standard error. Before every block
 * but the first, both streams get the divider, so that an earlier block's output is not shown as the last lines of a
 * failed one. The divider comes from a file, because a block may print the command lines of processes.
 */
const driver = `exec 3>&2 2>/dev/null
state=$1 count=$2 divider=$(<"$1/divider")
for ((block = 1; block <= count; block++)); do
  [ "$block" -eq 1 ] || { printf '%s' "$divider"; printf '%s' "$divider" >&3; }
  printf '%s\\n' "$block" >"$state/block"
  "$BASH" -euo pipefail "$state/block-$block.sh" 2>&3 3>&-
  code=$?
  [ "$code" -eq 0 ] || exit "$code"
done
`;
/**
 * Runs the fenced sh and bash blocks of the instructions, then those of the prompt, exactly as written. Each has its
 * own bash in the workspace, and the first failure stops the run. Calls no model. AGENT_RUN_PROMPT_FILE names a file
 * with the prompt. `advice` says what to do with a prompt without blocks.
 */
function createScriptHarness(env = {}, advice = adviseAgent([])) {
    return {
        name: 'script',
        refuse: refuseForAgents('script'),
        asksModel: false,
        executesSkills: true,
        prepare: task => prepareScript(task, { own: env, advice }),
    };
}
/** Names of the server's other harnesses, for an error. */
function adviseAgent(others) {
    return others.length === 0
        ? 'this server has no agent; ask its owner to add one'
        : `set \`harness\` (in the command \`--harness\`) to ${others.join(' or ')}`;
}
async function prepareScript(task, { own, advice }) {
    // Loaded late: only blocks need the parser.
    const { readFencedBlocks } = await Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(89)]).then(__webpack_require__.bind(__webpack_require__, 89));
    const blocks = [...task.instructions, task.prompt].flatMap(({ origin, text, firstLine }) => readFencedBlocks(text)
        .filter(({ language, code }) => languages.includes(language) && code.trim() !== '')
        .map(({ line, code }) => ({ origin, line: line + firstLine - 1, code })));
    if (blocks.length === 0)
        throw new HarnessRefusal('invalid_request', `the script harness found no fenced sh or bash block in the skill or prompt. It runs nothing else and calls no model. Add a block. A prompt in prose needs an agent: ${advice}`);
    const bash = task.image === undefined ? program_file_findProgram('bash', own.PATH ?? task.searchPath) : 'bash';
    if (bash === undefined)
        throw new HarnessRefusal('environment_setup_failed', 'bash runs shell blocks, and it is not on the PATH of the server. Install it there');
    const divider = `\x1e${(0,external_node_crypto_.randomUUID)()}\x1e`;
    const promptFile = (0,external_node_path_.join)(task.stateDir, 'prompt.md');
    const driverFile = (0,external_node_path_.join)(task.stateDir, 'driver.sh');
    await placeFiles(task.stateDir, [
        { path: 'prompt.md', text: task.prompt.text },
        { path: 'driver.sh', text: driver },
        { path: 'divider', text: divider },
        ...blocks.map((block, index) => ({ path: `block-${index + 1}.sh`, text: printScript(block) })),
    ]);
    const redactor = createRunRedactor((0,secret_variables/* findSecrets */.dL)({ ...task.variables, ...own }));
    return {
        argv: [bash, driverFile, task.stateDir, String(blocks.length)],
        env: { ...own, AGENT_RUN_PROMPT_FILE: promptFile },
        stdin: '',
        divider,
        redactor,
        conclude: async (end) => (0,border_secrets/* redactValue */.FI)(concludeScript(blocks, await readBlockNumber(task.stateDir), end), redactor.redact),
    };
}
/**
 * As many empty lines as precede the block in its document, so that bash's errors have the document's line numbers.
 */
function printScript({ line, code }) {
    return '\n'.repeat(line) + code;
}
async function readBlockNumber(stateDir) {
    return Number((await (0,border_files/* readPlainFile */.b$)((0,external_node_path_.join)(stateDir, 'block'), 16)) ?? '');
}
function concludeScript(blocks, reached, end) {
    if (end.exitCode === 0) {
        const printed = end.stdout.text.trim() === '' ? undefined : end.stdout;
        const nothing = `${blocks.length === 1 ? 'The block' : `All ${(0,base_text/* counted */.hS)(blocks.length, 'block')}`} ended with exit code 0 and printed nothing to standard output.`;
        return { state: 'SUCCEEDED', result: end.result ?? printed ?? (0,run_text/* wholeText */.r)(nothing) };
    }
    const block = blocks[reached - 1];
    const where = block === undefined ? 'the script' : `block ${reached} of ${blocks.length} (line ${block.line} of ${block.origin})`;
    const how = end.exitCode === undefined
        ? `was killed by ${end.signal ?? 'an unknown signal'}`
        : `ended with ${describeExitCode(end.exitCode)}`;
    return {
        state: 'FAILED',
        code: 'agent_failed',
        message: `${where} ${how}${ending_text_describeCause(end.outputTail)}`,
        result: end.result,
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/harness-set.js





/** Throws RangeError for contradictory settings. The message names the setting. */
function harness_set_createHarnesses({ default: usual, script, scriptEnv, scriptAdvice, commands, agents = {} }, adapters = agent_table_agentAdapters) {
    const harnesses = new Map();
    const add = (name, harness) => {
        if (harnesses.has(name) || name === 'oz')
            throw new RangeError(`harnesses.${name}: this name is already in use`);
        harnesses.set(name, harness);
    };
    const others = [...Object.keys(commands), ...Object.keys(agents)];
    if (script)
        add('script', createScriptHarness(scriptEnv, scriptAdvice ?? adviseAgent(others)));
    for (const [name, command] of Object.entries(commands))
        add(name, createCommandHarness({ name, ...command }));
    for (const [name, { kind, ...settings }] of Object.entries(agents)) {
        const adapter = adapters[kind];
        if (adapter === undefined)
            throw new RangeError(`harnesses.${name}.agent: there is no agent ${JSON.stringify(kind)}`);
        add(name, createAgentHarness(name, adapter, settings));
    }
    if (usual !== undefined && !harnesses.has(usual))
        throw new RangeError(`harnesses.default: there is no harness ${JSON.stringify(usual)}`);
    const get = (type) => harnesses.get(type === undefined || type === 'oz' ? (usual ?? '') : type);
    return {
        names: [...harnesses.keys()],
        default: usual,
        publishedType(name) {
            const kind = agents[name]?.kind ?? (harnesses.has(name) ? 'oz' : name);
            return harnessTypes.find(type => type === kind) ?? 'oz';
        },
        canResume: type => get(type)?.canResume === true,
        get,
    };
}

;// CONCATENATED MODULE: ./build/js/server/workspace/agent-environment.js

/** When a job ends, a runner kills every process with this variable. Only a server inside a step passes it on. */
const trackingVariable = 'RUNNER_TRACKING_ID';
const usualPath = '/usr/local/bin:/usr/bin:/bin';
/** Default PATH of every agent. */
function agent_environment_findSearchPath(server) {
    return server.PATH ?? usualPath;
}
/**
 * Base environment of every agent: paths and user of the server's own environment, and the run's folders. No other
 * variable of the server reaches an agent unless the configuration names it.
 */
function createBaseEnvironment(server, { root, home, temporary, hasOwnWorkspace }) {
    const locale = ['LANG', 'LC_ALL'].filter(name => /\.utf-?8$/i.test(server[name] ?? ''));
    const kept = [...locale, 'USER', 'LOGNAME', trackingVariable].flatMap(name => server[name] === undefined ? [] : [[name, server[name]]]);
    return {
        ...Object.fromEntries(kept),
        PATH: agent_environment_findSearchPath(server),
        HOME: home,
        TMPDIR: temporary,
        TERM: 'dumb',
        CI: 'true',
        NO_COLOR: '1',
        // Data folders are often inside a clone, which git would otherwise take for the agent's.
        ...(hasOwnWorkspace ? { GIT_CEILING_DIRECTORIES: (0,external_node_path_.dirname)(root) } : trustForGit),
    };
}
/**
 * The checkouts of a job in a container belong to another user, and git would refuse them. They may be in any folder
 * of the workspace.
 */
const trustForGit = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
/**
 * Variables that tell a program about its run. No harness can change them. `skillDir` is the folder of the run's
 * skill; `canAsk` is true if a question could be answered.
 */
function createRunVariables({ runId, config }, folder, { skillDir, canAsk }) {
    return {
        AGENT_RUN_ID: runId,
        AGENT_RUN_RESULT: folder.resultFile,
        AGENT_RUN_ARTIFACTS: folder.artifacts,
        ...(canAsk ? { AGENT_RUN_QUESTION: folder.questionFile } : {}),
        ...(config.model_id === undefined ? {} : { AGENT_RUN_MODEL: config.model_id }),
        ...(skillDir === undefined ? {} : { AGENT_RUN_SKILL_DIR: skillDir }),
    };
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-engine.js
/** Calls the program that runs containers, `docker` or `podman`, only through its command line. */




/** The engine, an image or a container failed, not the program. The message is for people. */
class container_engine_ContainerFault extends Error {
    name = 'ContainerFault';
}
const usualNames = ['docker', 'podman'];
const callMs = 30_000;
const streamEndMs = 1000;
const textMax = 64 * 1024;
/** Finds the configured command, or the first one installed. Otherwise the reason, as the end of a sentence. */
function container_engine_findContainerEngine({ command, env, }) {
    const folders = (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(external_node_path_.delimiter).filter(external_node_path_.isAbsolute);
    const names = command === undefined ? usualNames : [command];
    const paths = names.flatMap(name => ((0,external_node_path_.isAbsolute)(name) ? [name] : folders.map(folder => (0,external_node_path_.join)(folder, name))));
    const file = paths.find(program_file_isProgram);
    if (file !== undefined)
        return { file, env };
    if (command === undefined)
        return "docker and podman were not found on the server's PATH; install one of them, or set `docker.command` to its path";
    return (0,external_node_path_.isAbsolute)(command)
        ? `\`docker.command\`: ${command} does not exist or is not executable`
        : `\`docker.command\`: ${command} was not found on the server's PATH`;
}
/** Runs one engine command to its end. Never rejects. `signal` stops it; without a signal it is stopped after 30 s. */
async function container_engine_callEngine({ file, env }, args, signal = AbortSignal.timeout(callMs)) {
    // A separate session keeps Ctrl-C in the server's terminal away from it.
    const child = (0,external_node_child_process_.spawn)(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted)
        kill();
    const { promise, resolve } = Promise.withResolvers();
    child.once('error', error => resolve({ code: undefined, fault: error.message }));
    child.once('close', code => resolve({ code: code ?? undefined, fault: '' }));
    child.once('exit', () => {
        // Background processes it started may still hold its streams.
        const streams = [child.stdout, child.stderr];
        setTimeout(() => streams.forEach(stream => void stream.destroy()), streamEndMs).unref();
    });
    const texts = [collect(child.stdout), collect(child.stderr)];
    const { code, fault } = await promise;
    signal.removeEventListener('abort', kill);
    const [stdout = '', stderr = ''] = fault === '' ? await Promise.all(texts) : [];
    return { code, stdout: stdout.trim(), stderr: fault === '' ? stderr : fault };
}
async function collect(stream) {
    let text = '';
    try {
        for await (const chunk of stream)
            text = `${text}${String(chunk)}`.slice(-textMax);
    }
    catch { }
    return text;
}
/** Extracts the engine's error without its fixed phrases. */
function describeComplaint(stderr) {
    const said = stderr
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== '' && !/^Run '.+ --help' for more information$/.test(line));
    const words = (0,base_text/* lastLines */.w$)(said.join('\n'), 2)
        .map(line => line.replace(/^(docker: |Error: )?(Error response from daemon: )?/, ''))
        .join(' | ');
    return words === '' ? 'it gave no reason' : words.slice(0, 500);
}
/** True if the error says that the container does not exist. */
function isNoContainer(stderr) {
    return /no such container|no container with name or id|no such object/i.test(stderr);
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/engine-probe.js

/** Checks that an engine works. Throws ContainerFault with its message if it does not. */
async function engine_probe_askEngine(engine, { uid = process.getuid?.(), gid = process.getgid?.() } = {}) {
    const asked = await container_engine_callEngine(engine, ['--version']);
    if (asked.code !== 0)
        throw new container_engine_ContainerFault(`${engine.file} does not start: ${describeComplaint(asked.stderr)}`);
    const [version = ''] = asked.stdout.split('\n');
    const kind = /podman/i.test(version) ? 'podman' : 'docker';
    const format = kind === 'podman' ? '{{.Host.Security.Rootless}}' : '{{json .SecurityOptions}}';
    const { code, stdout, stderr } = await container_engine_callEngine(engine, ['info', '--format', format]);
    if (code !== 0)
        throw new container_engine_ContainerFault(`${kind} cannot be used: ${describeComplaint(stderr)}`);
    if (/"name=userns/.test(stdout))
        throw new container_engine_ContainerFault('docker remaps user ids in containers (userns-remap), so containers cannot write to the folders of runs; turn it off');
    const user = uid === undefined ? [] : ['--user', `${uid}:${gid ?? uid}`];
    if (kind === 'podman') {
        const proxies = '--http-proxy=false';
        return {
            kind,
            version,
            userFlags: [proxies, ...(stdout.trim() === 'true' ? ['--userns', 'keep-id'] : []), ...user],
        };
    }
    // In rootless docker, root inside a container is the server's user.
    return { kind, version, userFlags: /"name=rootless/.test(stdout) ? ['--user', '0:0'] : user };
}
async function probeEngine(engine) {
    return (await engine_probe_askEngine(engine)).userFlags;
}

;// CONCATENATED MODULE: ./build/js/server/doctor/container-check.js




const subject = 'containers';
/** Checks for a working engine and lists images that runs would wait for. Nothing if no run uses a container. */
async function* container_check_checkContainers(config) {
    if (!usesContainers(config))
        return;
    yield* checkEndpoints(config);
    const engine = findContainerEngine(config.docker);
    if (typeof engine === 'string') {
        const [text = '', remedy = 'install it, or change the setting'] = engine.split('; ');
        yield { subject, status: 'fail', text, remedy };
        return;
    }
    try {
        const { version } = await askEngine(engine);
        yield { subject, status: 'ok', text: `${version}, ${engine.file}` };
    }
    catch (error) {
        if (!(error instanceof ContainerFault))
            throw error;
        yield {
            subject,
            status: 'fail',
            text: error.message,
            remedy: "start the engine, and give the server's user access to it",
        };
        return;
    }
    const named = [config.docker.image, ...config.environments.map(({ image }) => image)];
    for (const image of new Set(named.filter(each => each !== undefined))) {
        const isHere = (await callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image])).code === 0;
        yield isHere
            ? { subject: `image ${image}`, status: 'ok', text: 'is available' }
            : {
                subject: `image ${image}`,
                status: 'warn',
                text: 'has not been pulled yet; the first run that needs it waits for the pull',
                remedy: `pull it now: ${engine.file} pull ${image}`,
            };
    }
}
/** Checks whether agents can reach their models from a container. A create request for one that cannot is refused. */
function* checkEndpoints({ docker, environments, harnesses: { agents = {} }, }) {
    const faults = Object.entries(agents).map(([name, { endpoint }]) => {
        const unreachable = describeUnreachable(endpoint.root, docker.settings.network);
        return unreachable && `the model endpoint of ${name}: ${unreachable}`;
    });
    const [first] = faults;
    if (first === undefined || faults.includes(undefined))
        return;
    const names = environments.flatMap(({ name, image }) => (image === undefined ? [] : [name]));
    const where = docker.image === undefined
        ? `the ${names.length === 1 ? 'environment' : 'environments'} ${names.join(', ')}`
        : 'this server';
    const [why = first, remedy = 'change the setting'] = first.split('; ');
    yield {
        subject: 'agents in containers',
        status: 'warn',
        text: `no agent can run in the containers of ${where}: ${why}`,
        remedy,
    };
}

;// CONCATENATED MODULE: ./build/js/server/doctor/model-question.js
const model_question_prompt = 'Answer with the word ok.';
/** OpenAI's minimum. */
const tokens = 16;
const questions = {
    'openai-chat': (model, key) => ({
        path: '/v1/chat/completions',
        headers: bearer(key),
        body: { model, messages: [{ role: 'user', content: model_question_prompt }], max_tokens: tokens },
    }),
    'openai-responses': (model, key) => ({
        path: '/v1/responses',
        headers: bearer(key),
        body: { model, input: model_question_prompt, max_output_tokens: tokens, store: false },
    }),
    anthropic: (model, key) => ({
        path: '/v1/messages',
        headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
        body: { model, messages: [{ role: 'user', content: model_question_prompt }], max_tokens: tokens },
    }),
    gemini: (model, key) => ({
        path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
        headers: key === undefined ? {} : { 'x-goog-api-key': key },
        body: { contents: [{ role: 'user', parts: [{ text: model_question_prompt }] }], generationConfig: { maxOutputTokens: tokens } },
    }),
};
function model_question_askModel({ api, root, apiKey, headers: more }, model) {
    const { path, headers, body } = questions[api](model, apiKey);
    return { url: `${root}${path}`, headers: { 'content-type': 'application/json', ...headers, ...more }, body };
}
function bearer(key) {
    return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

;// CONCATENATED MODULE: ./build/js/server/doctor/endpoint-check.js






const reachMs = 10_000;
const endpoint_check_answerMs = 60_000;
/** Bytes of an answer to read for its error. */
const answerBytes = (/* unused pure expression or super */ null && (256 * 1024));
/** Checks whether the endpoint answers. The key is not sent. */
async function endpoint_check_checkReach({ subject, endpoint, ...asked }) {
    try {
        const answer = await fetch(endpoint.root, { redirect: 'manual', signal: AbortSignal.timeout(reachMs) });
        await cancelBody(answer);
        const { status } = answer;
        const target = findTarget(answer);
        // A redirect within the origin leads people to a page.
        if (status >= 300 && status < 400 && target !== undefined && target !== new URL(endpoint.root).origin)
            return {
                subject,
                status: 'warn',
                text: `${endpoint.root} is reachable but redirects to ${target} (status ${status})`,
                remedy: "set the harness's `endpoint.url` to the final address; use --call to ask the model",
            };
        return {
            subject,
            status: 'ok',
            text: `${endpoint.root} answers; the key and the model are checked only with --call`,
        };
    }
    catch (error) {
        return describeBreak({ subject, endpoint, ...asked }, error, reachMs);
    }
}
/** Sends the model one request, with the API and key of the harness. */
async function endpoint_check_checkCall(asked) {
    const { subject, endpoint, model } = asked;
    if (endpoint.keyType === 'oauth_token')
        return {
            subject,
            status: 'warn',
            text: 'the model was not asked, because only Claude Code can use its OAuth token',
            remedy: 'start a run with this harness to check the token',
        };
    const question = askModel(endpoint, model);
    try {
        let { status, said } = await send(question);
        // Newer OpenAI models know this limit only under another name.
        if (status === 400 && said.includes('max_completion_tokens') && 'max_tokens' in question.body) {
            const { max_tokens: max_completion_tokens, ...body } = question.body;
            ({ status, said } = await send({ ...question, body: { ...body, max_completion_tokens } }));
        }
        if (status < 300)
            return { subject, status: 'ok', text: `${model} at ${endpoint.root} answered` };
        if (status < 400)
            return {
                subject,
                status: 'fail',
                text: `${endpoint.root} redirects (status ${status}), and the key is not sent to another address`,
                remedy: "set the harness's `endpoint.url` to the final address",
            };
        return endpoint_check_describeRefusal(asked, status, said);
    }
    catch (error) {
        return describeBreak(asked, error, endpoint_check_answerMs);
    }
}
async function send({ url, headers, body }) {
    const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        // A redirect must not carry the key to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(endpoint_check_answerMs),
    });
    return { status: response.status, said: await endpoint_check_readHead(response) };
}
/** Reads the start of an answer, because it may be endless. */
async function endpoint_check_readHead(answer) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of readChunks(answer, Number.POSITIVE_INFINITY)) {
        chunks.push(chunk);
        bytes += chunk.byteLength;
        if (bytes > answerBytes)
            break;
    }
    return Buffer.concat(chunks).toString();
}
function endpoint_check_describeRefusal({ subject, endpoint, model, title }, httpStatus, said) {
    const byStatus = faultOfStatus(httpStatus);
    const fault = /API_KEY_INVALID|API key not valid/.test(said) ? 'auth' : byStatus;
    // A message about a key may quote a part of it.
    const message = fault === 'auth' ? '' : redactKeys(readMessage(said), endpoint);
    const names = { agent: title, model, endpoint: endpoint.root, key: endpoint.keyOrigin };
    const { text, remedy } = explainFault({ fault, httpStatus, message }, names);
    return { subject, status: 'fail', text, remedy };
}
/** All APIs answer `{error: {message}}`. Gemini sometimes wraps it in a list. */
function readMessage(said) {
    const parsed = parseJson(said);
    const body = Array.isArray(parsed) ? parsed[0] : parsed;
    if (isObject(body) && isObject(body.error) && typeof body.error.message === 'string')
        return body.error.message;
    // An HTML page comes from a proxy.
    return said.replace(/<[^>]*>/g, ' ').slice(0, 300);
}
function redactKeys(text, { apiKey = '', headers = {} }) {
    return createRedactor([apiKey, ...Object.values(headers)]).redact(text);
}
function describeBreak({ subject, endpoint, model, title }, error, limitMs) {
    const message = error instanceof Error && error.name === 'TimeoutError'
        ? `no answer within ${limitMs / 1000} s`
        : redactKeys(describeCause(error), endpoint);
    const names = { agent: title, model, endpoint: endpoint.root };
    const { text, remedy } = explainFault({ fault: 'network', message }, names);
    return { subject, status: 'fail', text, remedy };
}

;// CONCATENATED MODULE: ./build/js/contract/tables/error-codes.js
const errorCodes = [
    {
        code: 'invalid_request',
        status: 400,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Invalid request',
        remedy: 'Fix the members listed in `issues`. For a run, fix what its message names.',
    },
    {
        code: 'authentication_required',
        status: 401,
        retryable: false,
        endsRunAs: 'ERROR',
        title: 'Authentication required',
        remedy: "Send `Authorization: Bearer KEY` with a key of this server. If a run ended with this code, its model endpoint refused the server's key: see the message of the run.",
    },
    {
        code: 'not_authorized',
        status: 403,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Not allowed',
        remedy: 'Open the page with the complete `session_link` of the run, or use a key that allows this.',
    },
    {
        code: 'resource_not_found',
        status: 404,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Not found',
        remedy: "Check the id, skill, model or environment named in `detail` or in the run's message.",
    },
    {
        code: 'method_not_allowed',
        status: 405,
        retryable: false,
        endsRunAs: undefined,
        title: 'Method not allowed',
        remedy: 'Use one of the methods in the `Allow` header.',
    },
    {
        code: 'conflict',
        status: 409,
        retryable: true,
        endsRunAs: 'FAILED',
        title: 'Conflict with the current state',
        remedy: 'Try again in a moment.',
    },
    {
        code: 'payload_too_large',
        status: 413,
        retryable: false,
        endsRunAs: undefined,
        title: 'Request body too large',
        remedy: 'Send a smaller body. `detail` gives the limit in bytes.',
    },
    {
        code: 'unsupported_media_type',
        status: 415,
        retryable: false,
        endsRunAs: undefined,
        title: 'Unsupported media type',
        remedy: 'Send JSON with `Content-Type: application/json`.',
    },
    {
        code: 'operation_not_supported',
        status: 422,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Not supported by this server',
        remedy: "Remove or change what `detail` or the run's message names. If you used the idempotency key before with a different body, use a new key.",
    },
    {
        code: 'rate_limited',
        status: 429,
        retryable: true,
        endsRunAs: 'ERROR',
        title: 'Too many requests',
        remedy: 'Wait as long as `Retry-After` says. A run ends with this code when its model endpoint refuses further requests.',
    },
    {
        code: 'internal_error',
        status: 500,
        retryable: true,
        endsRunAs: 'ERROR',
        title: 'Internal server error',
        remedy: "Look up the trace id in the server's log.",
    },
    {
        code: 'resource_unavailable',
        status: 503,
        retryable: true,
        endsRunAs: 'ERROR',
        title: 'Temporarily unavailable',
        remedy: 'Try again. A run that ended with this code may have done part of its work: check first.',
    },
    {
        code: 'environment_setup_failed',
        status: 500,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Environment setup failed',
        remedy: 'Fix the problem named in the message.',
    },
    {
        code: 'agent_failed',
        status: undefined,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'The agent failed',
        remedy: 'Read the message and the log of the run.',
    },
    {
        code: 'no_result',
        status: 404,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'No result',
        remedy: 'If the run has not ended, wait for it. Otherwise make the agent print an answer or write one to the file that AGENT_RUN_RESULT names.',
    },
    {
        code: 'time_limit',
        status: undefined,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Time limit reached',
        remedy: 'Give the agent a smaller task, or raise `limits.run_minutes` on the server.',
    },
    {
        code: 'step_limit',
        status: undefined,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Step limit reached',
        remedy: 'Give the agent a smaller task, or raise `steps` for the harness.',
    },
    {
        code: 'stalled',
        status: undefined,
        retryable: true,
        endsRunAs: 'FAILED',
        title: 'The agent stalled',
        remedy: 'The agent produced no output and ran no tool. Start the run again. If the model is slow, raise `stall_minutes` for the harness.',
    },
    {
        code: 'result_invalid',
        status: undefined,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'The result does not match its schema',
        remedy: 'The message says what does not match. Ask for less, or relax the schema.',
    },
    {
        code: 'publish_failed',
        status: undefined,
        retryable: false,
        endsRunAs: 'FAILED',
        title: 'Publishing the changes failed',
        remedy: 'The agent succeeded: the run has its result and the artifact `changes.patch`. Fix the problem named in the message.',
    },
];
/** The codes that every client of the interface knows. All others are this project's own. */
const publishedErrorCodes = [
    'insufficient_credits',
    'feature_not_available',
    'external_authentication_required',
    'not_authorized',
    'invalid_request',
    'resource_not_found',
    'budget_exceeded',
    'integration_disabled',
    'integration_not_configured',
    'operation_not_supported',
    'environment_setup_failed',
    'content_policy_violation',
    'conflict',
    'authentication_required',
    'resource_unavailable',
    'internal_error',
];
function errorCodeEntry(code) {
    const row = errorCodes.find(entry => entry.code === code);
    if (row === undefined)
        throw new RangeError(`unknown error code ${code}`);
    return row;
}
/** The row of a code from outside; undefined if it is unknown. */
function findErrorCode(code) {
    return errorCodes.find(entry => entry.code === code);
}

;// CONCATENATED MODULE: ./build/js/server/run-failure.js

/** Ends the run with this code. The message is for the person who started it. */
class run_failure_RunFailure extends Error {
    name = 'RunFailure';
    code;
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
/** Thrown by interrupted work when a run is given up. */
class RunStopped extends Error {
    name = 'RunStopped';
    stop;
    constructor(stop) {
        super(`the run was given up: ${stop.kind}`);
        this.stop = stop;
    }
}
/** Converts an error to a stop. Any error except RunStopped is a fault of the server. */
function readStop(error) {
    return error instanceof RunStopped ? error.stop : { kind: 'fault', error };
}
/** Looks up the state and retry flag of an error code. */
function endWithCode(code, message, result) {
    const { endsRunAs, retryable } = errorCodeEntry(code);
    return {
        state: endsRunAs ?? 'ERROR',
        statusMessage: { message, error_code: code, retryable },
        result,
    };
}

;// CONCATENATED MODULE: ./build/js/server/output/text-tail.js
/**
 * Keeps the end of a text that arrives in pieces. It is stored as bytes, because joined strings take many times their
 * size until they are garbage-collected.
 */
class TextTail {
    #maxBytes;
    /** Holds more than the end, so that it is rarely moved. */
    #bytes = Buffer.alloc(0);
    #length = 0;
    #totalBytes = 0;
    constructor(maxBytes) {
        this.#maxBytes = maxBytes;
    }
    push(piece) {
        const added = Buffer.byteLength(piece);
        this.#totalBytes += added;
        this.#makeRoom(added);
        this.#length += this.#bytes.write(piece, this.#length);
    }
    /** Becomes a copy of a tail of the same size. */
    assign(other) {
        this.#length = 0;
        this.#makeRoom(other.#length - other.#start);
        this.#length = other.#bytes.copy(this.#bytes, 0, other.#start, other.#length);
        this.#totalBytes = other.#totalBytes;
    }
    /** Size of everything pushed, kept or not. */
    get totalBytes() {
        return this.#totalBytes;
    }
    /** At most `maxBytes` of UTF-8. */
    get text() {
        return this.head(this.#maxBytes);
    }
    /** The first part of `text`. It may end inside a character. */
    head(bytes) {
        const start = this.#start;
        return this.#bytes.toString('utf8', start, Math.min(start + bytes, this.#length));
    }
    /** Where the end begins, after the rest of a cut character. */
    get #start() {
        let start = Math.max(0, this.#length - this.#maxBytes);
        while (start < this.#length && ((this.#bytes[start] ?? 0) & 0xc0) === 0x80)
            start += 1;
        return start;
    }
    #makeRoom(added) {
        if (this.#length + added <= this.#bytes.length)
            return;
        const kept = this.#bytes.subarray(Math.max(0, this.#length - this.#maxBytes), this.#length);
        const sizeMax = Math.ceil(1.5 * this.#maxBytes);
        const size = Math.max(kept.length + added, Math.min(sizeMax, 2 * (kept.length + added)));
        if (this.#bytes.length < size)
            this.#bytes = Buffer.concat([kept], size);
        else
            kept.copy(this.#bytes);
        this.#length = kept.length;
    }
}

;// CONCATENATED MODULE: ./build/js/server/workspace/run-git.js





/** A git command failed. The message says which one, and why in git's words. */
class GitFault extends Error {
    name = 'GitFault';
}
/** Longest entry of a listing, in UTF-16 units. A path on Linux has at most 4096 bytes. */
const entryMax = 64 * 1024;
/** Limit on the kept entries of a listing. A repository has at most some hundred submodules. */
const keptMax = 20_000;
/** Limit on the kept part of a whole listing, in UTF-16 units. */
const keptUnitsMax = 16 * 1024 * 1024;
/** Limit on both streams together. */
const outputBytesMax = 16 * 1024;
/** Git starts no program that a repository names, and does nothing in the background. */
const usualConfig = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['submodule.recurse', 'false'],
];
/** Runs git in the workspace, with our configuration and that of the repository only. */
async function runGit({ execute, folder, cwd = folder.workspace, searchPath }, args, { env = {}, config = [], stdin = '', onStdout } = {}) {
    const file = (0,external_node_path_.join)(folder.state, 'gitconfig');
    // An agent may have replaced it with a pipe, and a write would wait for its reader.
    await (0,folders/* removeTree */.dM)(file);
    // The folder is named in the server's configuration, so it may belong to another user.
    await (0,promises_.writeFile)(file, '[safe]\n\tdirectory = *\n', { flag: 'wx', mode: 0o600 });
    const output = new TextTail(outputBytesMax);
    const command = {
        argv: ['git', ...args],
        cwd,
        env: {
            PATH: searchPath,
            HOME: folder.home,
            LC_ALL: 'C',
            GIT_CONFIG_NOSYSTEM: '1',
            GIT_CONFIG_GLOBAL: file,
            GIT_TERMINAL_PROMPT: '0',
            GIT_NO_LAZY_FETCH: '1',
            GIT_NO_REPLACE_OBJECTS: '1',
            // The data folder may be inside a checkout, whose settings must not apply.
            ...(folder.hasOwnWorkspace ? { GIT_CEILING_DIRECTORIES: (0,external_node_path_.dirname)(folder.root) } : {}),
            ...env,
            ...printConfig([...usualConfig, ...config]),
        },
        stdin,
    };
    const end = await execute(command, async (stream, chunk) => {
        if (stream === 'stdout' && onStdout !== undefined)
            await onStdout(chunk);
        else
            output.push(Buffer.from(chunk).toString());
    });
    return { end, output: output.text };
}
/** Git's output, or undefined if it fails. */
async function askGit(parts, args, more) {
    const { end, output } = await runGit(parts, args, more);
    return end.kind === 'ended' && end.exitCode === 0 ? output : undefined;
}
/** Git's output. Throws GitFault if it fails. */
function checkGit({ end, output }, what) {
    if (end.kind === 'not_started')
        throw new GitFault(`${what}. ${end.message}`);
    if (end.exitCode !== 0)
        throw new GitFault(`${what}${ending_text_describeCause(output, 'git')}`);
    return output;
}
/**
 * Entries of a `-z` listing that match. An agent decides what its repository lists, so the number of entries and
 * their lengths are limited. Throws GitFault, also when a limit is exceeded.
 */
async function listGit(parts, args, { isKept, separator = '\0', ...more }) {
    const kept = [];
    const decoder = new TextDecoder();
    let index = 0;
    let rest = '';
    let units = 0;
    let isTooMuch = false;
    const onStdout = (chunk) => {
        if (isTooMuch)
            return;
        const entries = `${rest}${decoder.decode(chunk, { stream: true })}`.split(separator);
        rest = (entries.pop() ?? '').slice(0, entryMax);
        for (const entry of entries) {
            if (!isKept(entry, index++))
                continue;
            // A slice would keep the whole chunk in memory.
            kept.push(Buffer.from(entry.slice(0, entryMax)).toString());
            units += Math.min(entry.length, entryMax);
            isTooMuch = kept.length > keptMax || units > keptUnitsMax;
            if (isTooMuch)
                return;
        }
    };
    const outcome = await runGit(parts, args, { ...more, onStdout });
    if (isTooMuch)
        throw new GitFault(`git ${args[0]} reports more than ${keptMax} entries or ${keptUnitsMax / 1024 / 1024} MiB, which is more than is read`);
    checkGit(outcome, `git ${args[0]} failed`);
    return kept;
}
function printConfig(config) {
    const pairs = config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(pairs) };
}

;// CONCATENATED MODULE: ./build/js/server/workspace/git-host.js







/** Git gives up on a host that sends nothing for this long. */
const silenceSeconds = 120;
/**
 * Runs git against the host of an address. The host's token is in the environment of this process and its children
 * only, and for this host only: redirects are not followed. Such a process executes nothing from a repository, so
 * never give it one that an agent had.
 */
async function runHostGit({ git, signal, ...parts }, url, args) {
    const { protocol, host, origin } = new URL(url);
    const known = git.hosts[host];
    let token;
    try {
        token = known && (await tokenOf(known, readAddress(url).name, signal));
    }
    catch (error) {
        signal.throwIfAborted();
        return {
            end: { kind: 'not_started', message: (0,cause/* messageOf */.bD)(error) },
            output: '',
        };
    }
    const credential = Buffer.from(`x-access-token:${token}`).toString('base64');
    const config = [
        ['protocol.allow', 'never'],
        [`protocol.${protocol.slice(0, -1)}.allow`, 'always'],
        ['http.followRedirects', 'false'],
        ['http.lowSpeedLimit', '1'],
        ['http.lowSpeedTime', String(silenceSeconds)],
        ...(token === undefined ? [] : [[`http.${origin}/.extraHeader`, `Authorization: Basic ${credential}`]]),
    ];
    const { end, output } = await runGit(parts, args, { env: git.env, config });
    // A host may echo what it received.
    return { end, output: token === undefined ? output : redactTail(output, [token, credential]) };
}
/** The rest of a sentence about a failed git command: why it failed and, if known, what to do. */
function explainGit({ end, output }) {
    if (end.kind === 'not_started')
        return `. ${end.message}`;
    const said = ending_text_describeCause(output, 'git');
    if (/returned error: 30[1-8]/.test(output))
        return `${said}. Redirects are not followed: use the address that it leads to`;
    if (/could not read Username/.test(output))
        return `${said}. The host asks for a token: set one under git.hosts`;
    return said;
}
function redactTail(text, secrets) {
    // Truncated output may begin inside a secret.
    const margin = (0,sizes/* utf8Bytes */.d)(text) > outputBytesMax - 4 ? Math.max(...secrets.map(secret => secret.length)) : 0;
    return (0,border_secrets/* createRedactor */.lY)(secrets).redact(text).slice(margin);
}

;// CONCATENATED MODULE: ./build/js/server/workspace/environment-clone.js
/**
 * Clones the repositories of an environment into the workspace of a run: one commit of each, without history,
 * submodules, and the host's token.
 */







/** `writeLog` gets a line before each clone, which may take long. Throws RunFailure, and errors of `execute`. */
async function cloneRepositories(environment, checkout, { writeLog, ...parts }) {
    const clones = [];
    for (const repository of environment.repositories) {
        const { name, url } = repository;
        await writeLog(`cloning ${name} from ${url}`);
        try {
            clones.push(await cloneRepository(repository, checkout_chooseRevision(environment, repository, checkout), parts));
        }
        catch (error) {
            if (!(error instanceof run_failure_RunFailure) || error.code !== 'time_limit')
                throw error;
            throw new run_failure_RunFailure(error.code, `${error.message}. It was cloning ${name} from ${url}`);
        }
    }
    return clones;
}
/** Why a repository cannot be cloned as its environment says. Undefined if its host has the ref. Nothing is cloned. */
async function environment_clone_findRepositoryFault(environment, repository, parts) {
    const revision = chooseRevision(environment, repository, undefined);
    try {
        const { publish, publishBase } = environment;
        const base = publish === 'pull_request' ? publishBase : undefined;
        const listed = await listRefs(parts, repository, revision.ref, base);
        chooseRef(repository, revision, listed);
        if (base === undefined || listed.refs.includes(`refs/heads/${base}`))
            return undefined;
        return `${repository.name} has no branch ${base}, which \`publish_base\` names for pull requests`;
    }
    catch (error) {
        if (error instanceof RunFailure)
            return error.message;
        throw error;
    }
}
/**
 * Repositories of a continued conversation. Leaves out those that the environment no longer has, and those whose
 * folder the agent removed or replaced with a symlink, which would lead the server out of the workspace.
 */
async function findClones(environment, workspace, kept) {
    const clones = [];
    for (const { url, path, commit, branch, usualBranch } of kept) {
        const repository = environment?.repositories.find(known => known.url === url && known.path === path);
        const folder = (0,external_node_path_.join)(workspace, path);
        if (repository !== undefined && (await (0,folders/* isRealFolder */.jj)(workspace, folder)))
            clones.push({ repository, folder, commit, branch, usualBranch });
    }
    return clones;
}
/** The facts about a clone that are needed to find it again. */
function keepClone({ repository: { url, path }, commit, branch, usualBranch }) {
    return { url, path, commit, branch, usualBranch };
}
/** `octo-org/shop at 0123456 (main), octo-org/tools, which is empty`. */
function describeClones(clones) {
    return clones
        .map(({ repository: { name, path }, commit, branch }) => {
        const what = commit === undefined ? `${name}, which is empty` : `${name} at ${commit.slice(0, 7)}`;
        return `${what}${branch === undefined ? '' : ` (${branch})`}${path === '.' ? '' : ` in ${path}`}`;
    })
        .join(', ');
}
async function cloneRepository(repository, revision, parts) {
    const folder = (0,external_node_path_.join)(parts.folder.workspace, repository.path);
    await (0,promises_.mkdir)(folder, { recursive: true, mode: 0o700 });
    const at = { ...parts, cwd: folder };
    check(repository, await runGit(at, ['init', '--quiet', '--template=', '--initial-branch=main']));
    await (0,promises_.appendFile)((0,external_node_path_.join)(folder, '.git', 'config'), printRemote(repository.url));
    const listed = await listRefs(at, repository, revision.ref);
    const wanted = chooseRef(repository, revision, listed);
    const { usualBranch } = listed;
    if (wanted === undefined)
        return { repository, folder, commit: undefined, branch: undefined, usualBranch };
    const { target, branch } = wanted;
    const { url, depth = 1 } = repository;
    const keptAs = branch === undefined || target !== `refs/heads/${branch}` ? '' : `:refs/remotes/origin/${branch}`;
    const [past, wished] = depth === 0
        ? [[], [`+${target}`, '+refs/heads/*:refs/remotes/origin/*']]
        : [[`--depth=${depth}`], [`+${target}${keptAs}`]];
    const fetchArgs = ['fetch', '--quiet', ...past, '--no-tags', '--no-recurse-submodules', '--', url, ...wished];
    check(repository, await runHostGit(at, url, fetchArgs));
    const place = branch === undefined ? ['--detach'] : ['-B', branch];
    check(repository, await runGit(at, ['checkout', '--quiet', ...place, 'FETCH_HEAD']));
    return { repository, folder, commit: await environment_clone_readHead((0,external_node_path_.join)(folder, '.git')), branch, usualBranch };
}
/** In the format of `git remote add`. An address contains no quotes and no backslashes. */
function printRemote(url) {
    return `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
}
/** The commit of a fresh clone. */
async function environment_clone_readHead(gitFolder) {
    const head = (await (0,promises_.readFile)((0,external_node_path_.join)(gitFolder, 'HEAD'), 'utf8')).trim();
    if (!head.startsWith('ref: '))
        return head;
    return (await (0,promises_.readFile)((0,external_node_path_.join)(gitFolder, head.slice('ref: '.length)), 'utf8')).trim();
}
/** The refs of the host that the name may mean. */
async function listRefs(at, repository, ref, base) {
    // A short name alone would match every ref that ends with it.
    const full = ref === undefined ? [] : ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
    const outcome = await runHostGit(at, repository.url, [
        'ls-remote',
        '--symref',
        '--',
        repository.url,
        'HEAD',
        ...full,
        ...(base === undefined ? [] : [`refs/heads/${base}`]),
    ]);
    check(repository, outcome);
    const rows = outcome.output.split('\n').map(line => line.split('\t'));
    const head = rows.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: refs/heads/'));
    return {
        refs: rows.flatMap(([value, name]) => (name !== undefined && value?.startsWith('ref: ') !== true ? [name] : [])),
        usualBranch: head?.[0]?.slice('ref: refs/heads/'.length),
    };
}
/** The ref to fetch, and its branch. Undefined if the repository is empty. */
function chooseRef(repository, { ref, sha }, { refs, usualBranch }) {
    const found = ref === undefined ? undefined : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref].find(name => refs.includes(name));
    const branch = found?.startsWith('refs/heads/') === true ? found.slice('refs/heads/'.length) : undefined;
    // The commit counts: its branch may be gone by now.
    if (sha !== undefined)
        return { target: sha.toLowerCase(), branch };
    if (found !== undefined)
        return { target: found, branch };
    if (ref !== undefined)
        throw new run_failure_RunFailure('environment_setup_failed', `${repository.name} has no branch and no tag ${ref}`);
    if (!refs.includes('HEAD'))
        return undefined;
    return usualBranch === undefined
        ? { target: 'HEAD', branch: undefined }
        : { target: `refs/heads/${usualBranch}`, branch: usualBranch };
}
function check({ name, url }, outcome) {
    if (outcome.end.kind === 'ended' && outcome.end.exitCode === 0)
        return;
    const why = explainGit(outcome);
    // Hosts' message about a commit that no branch has any more.
    const hint = /not our ref|unadvertised object/.test(why) ? '. The commit is gone there, as after a force push' : '';
    throw new run_failure_RunFailure('environment_setup_failed', `${name} could not be cloned from ${url}${why}${hint}`);
}

;// CONCATENATED MODULE: ./build/js/server/workspace/run-folder.js





const runsFolder = 'runs';
const temporaryParent = 'passing';
/** Longer than any work in a temporary folder. */
const temporaryMs = 10 * 60_000;
/** Makes new folders, and removes existing ones. */
async function createRunFolder(folder) {
    const { root, workspace, hasOwnWorkspace, state, home, temporary, artifacts, resultFile } = folder;
    await (0,folders/* removeTree */.dM)(root);
    await (0,promises_.mkdir)(root, { recursive: true, mode: 0o700 });
    const paths = [state, home, temporary, artifacts, (0,external_node_path_.dirname)(resultFile), ...(hasOwnWorkspace ? [workspace] : [])];
    await Promise.all(paths.map(path => (0,promises_.mkdir)(path, { mode: 0o700 })));
}
/**
 * Prepares the folders of a conversation for its next run, or for the next part of a run that was BLOCKED, which
 * keeps the artifacts of the part before. False if the conversation is gone.
 */
async function reopenRunFolder(folder, { keepsArtifacts }) {
    if (!(await isKept(folder)))
        return false;
    const { root, state, home, temporary, artifacts, resultFile } = folder;
    const temporaryFolders = [temporary, (0,external_node_path_.dirname)(resultFile), (0,external_node_path_.join)(root, 'skills'), (0,external_node_path_.join)(state, 'skill')];
    for (const path of keepsArtifacts ? temporaryFolders : [...temporaryFolders, artifacts])
        await (0,folders/* removeTree */.dM)(path);
    // `changes` keeps the git state that the workspace is compared with.
    for (const path of [(0,external_node_path_.join)(state, 'changes'), home, temporary, artifacts, (0,external_node_path_.dirname)(resultFile)])
        await (0,folders/* makeRealFolder */.vK)(root, path);
    return true;
}
/** Whether the folders allow the conversation to continue. */
async function isKept({ root, state, workspace, conversationFile }) {
    const info = await Promise.all([root, state, workspace].map(path => (0,promises_.lstat)(path).catch(() => undefined)));
    const isMarked = (await (0,promises_.lstat)(conversationFile).catch(() => undefined))?.isFile() ?? false;
    return isMarked && info.every(found => found?.isDirectory() === true);
}
/** From now on the folder belongs to a conversation and is not removed with the run. */
async function markAsConversation({ conversationFile }) {
    await (0,promises_.writeFile)(conversationFile, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
        if (error.code !== 'EEXIST')
            throw error;
    });
}
/** `name` is the conversation's id, `workspace` the configured folder. */
function locateRunFolder(dataDir, name, workspace) {
    const root = (0,external_node_path_.join)(dataDir, runsFolder, name);
    return {
        root,
        workspace: workspace ?? (0,external_node_path_.join)(root, 'workspace'),
        hasOwnWorkspace: workspace === undefined,
        state: (0,external_node_path_.join)(root, 'state'),
        home: (0,external_node_path_.join)(root, 'home'),
        temporary: (0,external_node_path_.join)(root, 'tmp'),
        artifacts: (0,external_node_path_.join)(root, 'artifacts'),
        resultFile: (0,external_node_path_.join)(root, 'result', 'result.md'),
        questionFile: (0,external_node_path_.join)(root, 'result', 'question.md'),
        conversationFile: (0,external_node_path_.join)(root, 'conversation'),
    };
}
/**
 * Gives git folders to work in outside a run: in the data folder of a server, or in the system's temporary folder.
 * They are removed afterwards. After a crash of the server, removeStaleFolders removes them.
 */
async function run_folder_inPassingFolder(work, dataDir) {
    const parent = dataDir === undefined ? (0,external_node_os_.tmpdir)() : (0,external_node_path_.join)(dataDir, temporaryParent);
    await (0,promises_.mkdir)(parent, { recursive: true, mode: 0o700 });
    const place = await (0,promises_.mkdtemp)((0,external_node_path_.join)(parent, 'agent-run-git-'));
    try {
        const folder = locateRunFolder(place, 'none');
        await createRunFolder(folder);
        return await work(folder);
    }
    finally {
        await (0,folders/* removeTree */.dM)(place);
    }
}
/** Copies of skills that an agent reads when it needs them. */
function placedSkillsFolder({ root }) {
    return (0,external_node_path_.join)(root, 'skills');
}
/** Removes the temporary parts of a run that is over. */
async function tidyRunFolder(folder, { keeps }) {
    if (keeps === 'conversation')
        await keepConversation(folder);
    else if (keeps === 'workspace' && folder.hasOwnWorkspace)
        await keepWorkspace(folder);
    else
        await (0,folders/* removeTree */.dM)(folder.root);
}
/** An agent can leave any number of files. */
const entriesAtOnce = 1000;
/**
 * Removes everything of a run except its workspace. If a program replaced the folder with a symlink, only the symlink
 * is removed.
 */
async function keepWorkspace({ root, workspace }) {
    const isFolder = (await (0,promises_.lstat)(root).catch(() => undefined))?.isDirectory() ?? false;
    if (!isFolder)
        return await (0,folders/* removeTree */.dM)(root);
    for (let isWhole = false; !isWhole;) {
        const found = await (0,folders/* readEntries */.$2)(root, entriesAtOnce);
        isWhole = found.isWhole;
        for (const { name } of found.entries)
            if ((0,external_node_path_.join)(root, name) !== workspace)
                await (0,folders/* removeTree */.dM)((0,external_node_path_.join)(root, name));
    }
}
/** Removes files that no later run needs. */
async function keepConversation({ root, temporary, artifacts, resultFile }) {
    const isFolder = (await (0,promises_.lstat)(root).catch(() => undefined))?.isDirectory() ?? false;
    // The agent may have replaced it with a link to another folder.
    if (!isFolder)
        return await (0,folders/* removeTree */.dM)(root);
    // The whole folder of the result, because the agent may have replaced the file with something else.
    const paths = [temporary, artifacts, (0,external_node_path_.dirname)(resultFile), (0,external_node_path_.join)(root, 'publish')];
    // Removing a deep tree takes minutes, and the next run of the conversation may start before that.
    const aside = paths.map(path => ({ path, to: `${path}.${(0,external_node_crypto_.randomUUID)()}` }));
    for (const { path, to } of aside)
        await (0,promises_.rename)(path, to).catch(() => { });
    for (const { path, to } of aside)
        await (0,folders/* removeTree */.dM)((await (0,promises_.lstat)(to).catch(() => undefined)) === undefined ? path : to);
}
/**
 * Removes the folders of runs that ended longer ago than `keepMs`, except active ones, and leftovers of a killed
 * server. Returns how many. A folder that cannot be removed, such as one with files of another user, is reported and
 * does not stop the others.
 */
async function removeStaleFolders({ dataDir, keepMs, now, isInHand = () => false, readEnd, onFailure, }) {
    let removed = 0;
    for (const name of await (0,promises_.readdir)((0,external_node_path_.join)(dataDir, temporaryParent)).catch(() => [])) {
        const path = (0,external_node_path_.join)(dataDir, temporaryParent, name);
        try {
            if (now - (await (0,promises_.lstat)(path)).ctimeMs >= temporaryMs)
                await (0,folders/* removeTree */.dM)(path);
        }
        catch (error) {
            onFailure(name, error);
        }
    }
    for (const name of await (0,promises_.readdir)((0,external_node_path_.join)(dataDir, runsFolder)).catch(() => [])) {
        if (isInHand(name))
            continue;
        const folder = locateRunFolder(dataDir, name);
        try {
            // The only time of a folder that a program cannot set.
            let { ctimeMs: endedAt } = await (0,promises_.lstat)(folder.root);
            if ((await (0,promises_.lstat)(folder.conversationFile).catch(() => undefined)) !== undefined) {
                const end = await readEnd?.(name);
                if (end === undefined || now - end.endedAt < end.keepMs)
                    continue;
                endedAt = end.endedAt;
            }
            if (keepMs > 0 && now - endedAt < keepMs)
                await keepWorkspace(folder);
            else {
                await (0,folders/* removeTree */.dM)(folder.root);
                removed += 1;
            }
        }
        catch (error) {
            onFailure(name, error);
        }
    }
    return removed;
}
/** Removes folders that belong to no run: an agent can move and copy its own. Returns how many. */
async function removeUnknownFolders({ dataDir, isKnown, onFailure, }) {
    const root = (0,external_node_path_.join)(dataDir, runsFolder);
    let removed = 0;
    for (const name of await (0,promises_.readdir)(root).catch(() => [])) {
        if (await isKnown(name))
            continue;
        try {
            await (0,folders/* removeTree */.dM)((0,external_node_path_.join)(root, name));
            removed += 1;
        }
        catch (error) {
            onFailure(name, error);
        }
    }
    return removed;
}

;// CONCATENATED MODULE: ./build/js/server/doctor/environment-check.js
/** Checks what runs of the environments need: variables that are passed on, and repositories that can be cloned. */




function* environment_check_checkVariables({ unsetVariables }) {
    for (const { name, user, place } of unsetVariables)
        yield {
            subject: isUsualVariableName(name) ? `variable ${name}` : 'variable',
            status: 'warn',
            text: `${place}: ${isUsualVariableName(name) ? 'it is not set' : describeUnsetVariable(name)}, so ${user} runs without it`,
            remedy: "set it in the server's environment, or remove it from `env`",
        };
}
/** Lists the refs of each repository with the token of the runs, one after another. */
async function* environment_check_checkRepositories({ environments, git }, searchPath, answerMs = 20_000) {
    const execute = environment_check_executeWithin(answerMs);
    for (const environment of environments)
        for (const repository of environment.repositories) {
            const subject = `environment ${environment.name}: repository`;
            const signal = new AbortController().signal;
            const fault = await inPassingFolder(folder => findRepositoryFault(environment, repository, { folder, searchPath, execute, git, signal }));
            yield fault === undefined
                ? { subject, status: 'ok', text: `${repository.name}, ${repository.url}` }
                : {
                    subject,
                    status: 'fail',
                    text: fault,
                    remedy: 'fix its `url`, `ref` or `publish_base`, or make sure that this machine and the token or the App of its host can read it',
                };
        }
}
const alone = { stopped: undefined, leftovers: 0, survivors: 0, survivorPids: [] };
const environment_check_executeWithin = (answerMs) => async ({ argv: [file, ...args], cwd, env }, onOutput) => {
    const child = spawn(file, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let isLate = false;
    const timer = setTimeout(() => {
        isLate = true;
        // Includes the programs that git started.
        if (child.pid !== undefined)
            process.kill(-child.pid, 'SIGKILL');
    }, answerMs);
    child.stdout.on('data', (chunk) => void onOutput('stdout', chunk));
    child.stderr.on('data', (chunk) => void onOutput('stderr', chunk));
    try {
        return await new Promise(resolve => {
            child.once('error', error => resolve({ kind: 'not_started', message: error.message }));
            child.once('close', (exitCode, signal) => {
                if (isLate)
                    resolve({ kind: 'not_started', message: `its host did not answer within ${answerMs / 1000} s` });
                else
                    resolve({ kind: 'ended', exitCode: exitCode ?? undefined, signal: signal ?? undefined, ...alone });
            });
        });
    }
    finally {
        clearTimeout(timer);
    }
};

;// CONCATENATED MODULE: ./build/js/base/process/folder-fault.js

const reasons = {
    EACCES: 'this user cannot write to it',
    EPERM: 'this user cannot write to it',
    EROFS: 'its file system is read-only',
    ENOENT: 'a folder cannot be created there',
    ENOTDIR: 'part of its path is a file',
    EEXIST: 'part of its path is a broken link',
    ENOSPC: 'the disk is full',
};
/** Why a folder cannot be used, in words. */
function folder_fault_explainFolder(error) {
    return (0,cause/* explainCode */.Dv)(error, reasons);
}

;// CONCATENATED MODULE: ./build/js/server/config/tls-files.js



/** Throws with a sentence that names the file. OpenSSL's errors name neither the file nor the fault. */
function tls_files_readTlsFiles({ cert, key }) {
    const pem = { cert: readPem(cert, 'certificate'), key: readPem(key, 'key') };
    const certificate = parsePem(cert, 'a certificate', () => new X509Certificate(pem.cert));
    const privateKey = parsePem(key, 'a private key without a passphrase', () => createPrivateKey(pem.key));
    if (!certificate.checkPrivateKey(privateKey))
        throw new Error(`the key ${key} does not belong to the certificate ${cert}; use a matching pair`);
    return { ...pem, validTo: certificate.validToDate };
}
function readPem(file, what) {
    try {
        return readFileSync(file);
    }
    catch (error) {
        throw new Error(`the TLS ${what} ${file} cannot be read: ${explainCode(error, tls_files_reasons)}`, { cause: error });
    }
}
const tls_files_reasons = {
    ENOENT: 'the file does not exist',
    EACCES: 'this user is not allowed to read it',
    EISDIR: 'it is a folder',
};
function parsePem(file, what, parse) {
    try {
        return parse();
    }
    catch (error) {
        throw new Error(`${file} is not ${what} in PEM format; use a file that starts with -----BEGIN`, { cause: error });
    }
}

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./build/js/server/harness/agents/program-version.js






const timeoutMs = 30_000;
/**
 * Starts a program with a temporary home, so that it neither reads nor leaves files, and asks for its version. Throws
 * Error with its output if it does not start or prints no version.
 */
async function program_version_readProgramVersion([file, ...args], { searchPath, versionArgs = ['--version'], }) {
    const home = await (0,promises_.mkdtemp)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), 'agent-run-version-'));
    try {
        const env = { PATH: searchPath, HOME: home, TMPDIR: home, TERM: 'dumb', NO_COLOR: '1', CI: 'true' };
        const { stdout, stderr } = await (0,external_node_util_.promisify)(external_node_child_process_.execFile)(file, [...args, ...versionArgs], {
            env,
            cwd: home,
            timeout: timeoutMs,
            killSignal: 'SIGKILL',
        });
        const [version] = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout) ?? [];
        if (version === undefined)
            throw new Error(`it printed no version: ${(0,base_text/* firstLine */.TM)(stdout) || (0,base_text/* firstLine */.TM)(stderr)}`);
        return version;
    }
    catch (error) {
        if (!(error instanceof Error) || !('code' in error || 'killed' in error))
            throw error;
        const { killed, stderr = '' } = error;
        if (killed)
            throw new Error(`it did not print its version within ${timeoutMs / 1000} s`);
        throw new Error(`it does not start: ${(0,base_text/* firstLine */.TM)(stderr) || (0,base_text/* firstLine */.TM)(error.message)}`);
    }
    finally {
        await (0,promises_.rm)(home, { recursive: true, force: true, maxRetries: 3 });
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/program-limits.js
/** Limits of a run's program. The system applies them to each process, and children inherit them. */


const bytesPerMb = 1024 * 1024;
/** Arguments of `prlimit`, empty without limits. Soft and hard limits, so that a program cannot raise them. */
function printLimitFlags({ memoryMb, processes, fileMb }) {
    return [
        ...(memoryMb === undefined ? [] : [`--data=${memoryMb * bytesPerMb}`]),
        ...(processes === undefined ? [] : [`--nproc=${processes}`]),
        ...(fileMb === undefined ? [] : [`--fsize=${fileMb * bytesPerMb}`]),
    ];
}
/** Tries the limits with a shell. Returns why they cannot be set, or undefined. */
async function findLimitFault(prlimit, limits, { isRoot }) {
    if (limits.processes !== undefined && isRoot)
        return 'limits.processes: has no effect for root, which this server runs as; run the server as another user, or remove the limit';
    const flags = printLimitFlags(limits);
    try {
        await (0,external_node_util_.promisify)(external_node_child_process_.execFile)(prlimit, [...flags, '--', '/bin/sh', '-c', ':'], { cwd: '/', env: {} });
        return undefined;
    }
    catch (error) {
        const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
        return `limits: no program can start with ${flags.join(' ')} (${words.slice(0, 300)}); raise limits that are too low, and lower those above the server's own limits (\`ulimit -H -a\`)`;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/marker.js
/**
 * Every process of a run has this variable in its environment: `<server id>/<run id>`. Children inherit it, even if
 * they leave their session, process group and parent. So /proc shows their run.
 */
const markerVariable = 'AGENT_RUN_MARKER';
/**
 * Prints the variable's value. Without a run id it marks a process that waits for a run. Throws RangeError for an id
 * that could be confused with another one.
 */
function printMarker({ serverId, runId }) {
    for (const id of [serverId, runId ?? 'none'])
        if (!/^[\w.-]+$/.test(id))
            throw new RangeError(`${JSON.stringify(id)} cannot mark a process`);
    return runId === undefined ? serverId : `${serverId}/${runId}`;
}
/** Tests an environment from /proc for one of the markers: the whole value for a run, its start for a server. */
function createMarkerTest(markers) {
    const wanted = markers.flatMap(({ serverId, runId }) => {
        const start = `\0${markerVariable}=${serverId}`;
        return runId === undefined ? [`${start}/`, `${start}\0`] : [`${start}/${runId}\0`];
    });
    return environ => wanted.some(text => `\0${environ}\0`.includes(text));
}

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/process-table.js

/** Only Linux shows every process with its environment. Elsewhere there are only process groups. */
const hasProcessTable = process.platform === 'linux';
/** Any process on the machine can have a path that is too long to read. */
const absences = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENAMETOOLONG'];
/**
 * Reads every living process except kernel threads and zombies. It reads all at once, because a longer look misses
 * more. Throws if /proc cannot be read.
 */
function readProcessTable() {
    return (0,external_node_fs_.readdirSync)('/proc')
        .filter(name => /^\d+$/.test(name))
        .flatMap(name => readLiving(Number(name)) ?? []);
}
/** Undefined if the process does not exist or cannot be read. */
function readProcess(pid) {
    try {
        return readLiving(pid);
    }
    catch {
        return undefined;
    }
}
/** The session of this process, which never changes. */
const ownSession = readProcess(process.pid)?.session;
/** Start time of a process, even of a zombie; '' if it does not exist. */
function readStartTicks(pid) {
    return readStat(pid)?.row.startTicks ?? '';
}
/** Whether a process has begun to end. The kernel takes some time for that, longest for a namespace's first process. */
function isExiting(pid) {
    return readStat(pid)?.isExiting ?? true;
}
/** Environment at the start of a process: `NAME=value` joined by NUL; '' if it cannot be read. */
function readEnviron(pid) {
    return readProcFile(pid, 'environ');
}
/** Working folder of a process, a real path; '' if it cannot be read. */
function readWorkingFolder(pid) {
    return readOr('', () => (0,external_node_fs_.readlinkSync)(`/proc/${pid}/cwd`));
}
/** Paths of a process's open files and named pipes; empty if they cannot be read. */
function readOpenFiles(pid) {
    const folder = `/proc/${pid}/fd`;
    return readOr([], () => (0,external_node_fs_.readdirSync)(folder)).map(name => readOr('', () => (0,external_node_fs_.readlinkSync)(`${folder}/${name}`)));
}
/** Children of a process, if it has a single thread. Undefined if this kernel does not list them. */
function readChildren(pid) {
    const text = readProcFile(pid, `task/${pid}/children`);
    if (text === '' && !listsChildren)
        return undefined;
    return text
        .split(' ')
        .filter(name => name !== '')
        .map(Number);
}
const listsChildren = (0,external_node_fs_.existsSync)(`/proc/self/task/${process.pid}/children`);
function readLiving(pid) {
    const stat = readStat(pid);
    return stat?.isAlive === true ? stat.row : undefined;
}
function readStat(pid) {
    const stat = readProcFile(pid, 'stat');
    // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    const [flags, threads, startTicks] = [fields[6], fields[17], fields[19]];
    if (startTicks === undefined)
        return undefined;
    const row = { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks };
    // A program whose first thread ended looks like a zombie but lives in its other threads. Only kernel threads have
    // no group.
    const isDead = (state === 'Z' || state === 'X') && Number(threads) <= 1;
    return { row, isAlive: !isDead && row.group > 0, isExiting: (Number(flags) & exitingFlag) !== 0 };
}
/** PF_EXITING of the kernel's include/linux/sched.h. */
const exitingFlag = 4;
/** Kept between reads: a look at the machine reads hundreds of files, and `readFileSync` makes three buffers for each. */
let buffer = Buffer.allocUnsafe(16 * 1024);
function readProcFile(pid, name) {
    return readOr('', () => {
        const file = (0,external_node_fs_.openSync)(`/proc/${pid}/${name}`, 'r');
        try {
            for (let end = 0;;) {
                end += (0,external_node_fs_.readSync)(file, buffer, end, buffer.length - end, null);
                // Files of /proc fill what they are given, so a short read is the last one.
                if (end < buffer.length)
                    return buffer.toString('latin1', 0, end);
                buffer = Buffer.concat([buffer], 2 * buffer.length);
            }
        }
        finally {
            (0,external_node_fs_.closeSync)(file);
        }
    });
}
function readOr(absent, read) {
    try {
        return read();
    }
    catch (error) {
        // These errors mean that the process is gone or belongs to another user. Any other, such as too many open files,
        // must not look like an empty table.
        if (error instanceof Error && 'code' in error && absences.includes(error.code))
            return absent;
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/spawning/namespace-keeper.js





/** Reports its start, then waits for the end of its input. If the reader is killed, the loop starts another one. */
const firstProcess = 'echo up; exec >/dev/null 2>&1; until (read -r line || :); do :; done';
const startMs = 10_000;
/**
 * Makes a namespace whose first process is a shell that adopts and reaps orphans. It waits for the end of a pipe that
 * only this process holds, so the namespace ends with this process. Throws Error with the tool's message if the system
 * refuses.
 */
async function startKeeper([file, ...args], env) {
    const keeper = (0,external_node_child_process_.spawn)(file, [...args, '/bin/sh', '-c', firstProcess], {
        cwd: '/',
        env,
        detached: true,
        stdio: 'pipe',
    });
    // A process that failed to start has no streams.
    if (keeper.pid === undefined)
        throw (await (0,external_node_events_.once)(keeper, 'error'))[0];
    const gone = waitForEnd(keeper);
    try {
        await waitForStart(keeper, gone);
        return { first: findChild(keeper.pid), gone, isHeld: () => true };
    }
    catch (error) {
        keeper.stdin.destroy();
        keeper.kill('SIGKILL');
        throw new Error(`could not create a PID namespace: ${(0,cause/* messageOf */.bD)(error)}`, { cause: error });
    }
}
/** Resolves when the first process runs. Throws Error with the tool's message. */
async function waitForStart({ stdout, stderr }, gone) {
    const over = new AbortController();
    const words = namespace_keeper_collect(stderr);
    try {
        const fault = await Promise.race([
            (0,external_node_events_.once)(stdout, 'data', { signal: over.signal }).then(() => undefined),
            gone.then(async (end) => (await words) || end),
            base_clock/* systemClock */.m.sleep(startMs, over.signal).then(() => `it was not ready after ${startMs / 1000} s`),
        ]);
        if (fault !== undefined)
            throw new Error(fault);
    }
    finally {
        over.abort();
        for (const stream of [stdout, stderr])
            stream.destroy();
    }
}
/** Throws Error if the process has no child. */
function findChild(pid) {
    const [listed] = readChildren(pid) ?? readProcessTable().flatMap(row => (row.parent === pid ? [row.pid] : []));
    const child = listed === undefined ? undefined : readProcess(listed);
    if (child === undefined)
        throw new Error('its first process has exited');
    return child;
}
/** Never rejects: resolves with the error's text. */
async function waitForEnd(keeper) {
    const { promise, resolve } = Promise.withResolvers();
    keeper.once('error', error => resolve(error.message));
    keeper.once('exit', (code, signal) => resolve(`${keeper.spawnfile} ended with ${signal ?? `exit code ${code}`}`));
    for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr])
        stream.on('error', () => { });
    return promise;
}
/** The output is at most a few lines. */
async function namespace_keeper_collect(stream) {
    let text = '';
    try {
        for await (const chunk of stream)
            text += String(chunk);
    }
    catch {
        // The stream was closed because its text is no longer needed.
    }
    return text
        .trim()
        .replaceAll(/\s*\n\s*/g, '; ')
        .slice(0, 500);
}

;// CONCATENATED MODULE: ./build/js/server/executor/spawning/spawner.js




/** The spawner has died, so the server can no longer learn how its programs end. */
class SpawnerFault extends Error {
    name = 'SpawnerFault';
}
/** Starts processes as children of this one. Each start takes longer the more memory this process has. */
const directSpawner = {
    async spawn({ argv: [file, ...args], cwd, env, stdio }) {
        const child = (0,external_node_child_process_.spawn)(file, args, { cwd, env, detached: true, stdio: [...stdio] });
        if (child.pid === undefined)
            throw (await (0,external_node_events_.once)(child, 'error'))[0];
        const exited = (0,external_node_events_.once)(child, 'exit').then(([exitCode, signal]) => ({
            exitCode: typeof exitCode === 'number' ? exitCode : undefined,
            signal: typeof signal === 'string' ? signal : undefined,
        }));
        try {
            return { pid: child.pid, startTicks: readStartTicks(child.pid), exited };
        }
        catch (error) {
            // Nobody would know of it.
            process.kill(-child.pid, 'SIGKILL');
            throw error;
        }
    },
    openNamespace: startKeeper,
    async close() { },
};

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/run-processes.js


/**
 * Processes that may adopt an orphan: pid 1, or an ancestor of this process. Its own parent is left out, because that
 * starts programs itself and rarely adopts any.
 */
function findReapers() {
    const reapers = new Set([1]);
    for (let pid = readProcess(process.ppid)?.parent ?? 0; pid > 0 && !reapers.has(pid);) {
        reapers.add(pid);
        pid = readProcess(pid)?.parent ?? 0;
    }
    return [...reapers];
}
/**
 * Finds every living process of a scope. A process belongs to it by its marker, by an earlier sighting, by its
 * folder, by a pipe, as an orphan, by its session, or as a descendant of one of these. A process is missed only if it
 * changed its environment, session, folder and pipes, and lost its parent before it was seen.
 */
function findProcesses(scope) {
    const { markers, leaders, seen = [], folders = [], pipes = [], orphans = [], since = '' } = scope;
    const table = readProcessTable();
    const isMarked = createMarkerTest(markers);
    const isOfServer = createMarkerTest(markers.map(({ serverId }) => ({ serverId })));
    const byTrace = [];
    const byMarker = table.filter(row => {
        const isOlder = Number(row.startTicks) < Number(since);
        const isThere = worksIn(row.pid, folders) || holdsOneOf(row.pid, pipes);
        if (isOlder && !isThere)
            return false;
        const environ = readEnviron(row.pid);
        if (isMarked(environ))
            return true;
        if (isOfServer(environ))
            return false;
        if (isThere || orphans.some(those => isOrphan(row, those, environ)))
            byTrace.push(row);
        return false;
    });
    return findKin(table, { leaders, members: [...byMarker, ...findSame(table, seen)], others: byTrace });
}
/**
 * Returns the members, every process in their sessions or in the leaders', and all descendants. A process enters a
 * session only by birth, so one member proves the whole session. That does not hold for `others`, which may come from
 * elsewhere.
 */
function findKin(table, { leaders, members, others = [] }) {
    const sessions = new Set(leaders.filter(leader => isSame(table, leader)).map(leader => leader.pid));
    const found = new Map();
    const rest = new Set(table.filter(row => row.pid !== 1 && row.pid !== process.pid));
    const addKin = (row) => {
        if (!rest.delete(row))
            return;
        found.set(row.pid, row);
        if (row.session !== ownSession && row.session > 0)
            sessions.add(row.session);
    };
    for (const row of members)
        addKin(row);
    for (let before = -1; before !== found.size;) {
        before = found.size;
        for (const row of rest)
            if (sessions.has(row.session) || found.has(row.parent))
                addKin(row);
    }
    for (const row of others)
        if (rest.delete(row))
            found.set(row.pid, row);
    for (let before = -1; before !== found.size;) {
        before = found.size;
        for (const row of rest)
            if (found.has(row.parent) && rest.delete(row))
                found.set(row.pid, row);
    }
    return [...found.values()];
}
/** Returns the current rows of processes that still live. */
function findSame(table, processes) {
    if (processes.length === 0)
        return [];
    const rows = new Map(table.map(row => [row.pid, row]));
    return processes.flatMap(({ pid, startTicks }) => {
        const row = rows.get(pid);
        return row?.startTicks === startTicks ? [row] : [];
    });
}
function worksIn(pid, folders) {
    if (folders.length === 0)
        return false;
    const path = readWorkingFolder(pid);
    return folders.some(folder => path === folder || path.startsWith(`${folder}/`) || path === `${folder} (deleted)`);
}
function isOrphan(row, orphans, environ) {
    const { folder, since, until = 'Infinity' } = orphans;
    const began = Number(row.startTicks);
    // A shell that a user opened in the folder has a parent, and so do its children.
    if (!orphans.reapers.includes(row.parent) || began < Number(since.startTicks) || began > Number(until))
        return false;
    return namesRun(environ, orphans) || (folder !== undefined && worksIn(row.pid, [folder]));
}
/** True if an environment from /proc has the run's id or a path in the run's folder. */
function namesRun(environ, { runFolder, runId }) {
    const parts = environ.split(Buffer.from(runFolder).toString('latin1'));
    const isPath = (part, index) => /^(?:[/:\0]|$)/.test(part) && /[=:]$/.test(parts[index - 1] ?? '');
    return parts.some(isPath) || environ.split('\0').includes(`AGENT_RUN_ID=${runId}`);
}
function holdsOneOf(pid, pipes) {
    return pipes.length > 0 && readOpenFiles(pid).some(path => pipes.includes(path));
}
/** False if another process now has the leader's pid. The kernel reuses it only after the whole session is gone. */
function isSame(table, leader) {
    const row = table.find(candidate => candidate.pid === leader.pid);
    return row === undefined || row.startTicks === leader.startTicks;
}
/**
 * Sends a signal to the process group that a leader began. False if the group is empty. A group keeps its number
 * while it has members, so only a new process with that pid means that the number was reused.
 */
function signalLeaderGroup({ pid, startTicks }, signal) {
    try {
        return ['', startTicks].includes(readStartTicks(pid)) && sendSignal(-pid, signal);
    }
    catch {
        return false;
    }
}
/** Sends a signal, unless the pid was reused. */
function signalProcess(row, signal) {
    if (readProcess(row.pid)?.startTicks === row.startTicks)
        sendSignal(row.pid, signal);
}
/**
 * Kills process groups, each once. The kernel kills a group atomically, so no fork escapes. A process in the server's
 * own session is killed alone.
 */
function killGroups(rows) {
    const done = new Set();
    for (const row of rows) {
        if (done.has(row.group))
            continue;
        const now = readProcess(row.pid);
        if (now === undefined || now.startTicks !== row.startTicks)
            continue;
        if (now.group > 1 && now.session !== ownSession) {
            sendSignal(-now.group, 'SIGKILL');
            done.add(now.group);
        }
        else
            sendSignal(row.pid, 'SIGKILL');
    }
}
/** False if the process is gone or belongs to another user. */
function sendSignal(pid, signal) {
    try {
        return process.kill(pid, signal);
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/run-namespace.js


/** The kernel waits for every process of the namespace, and one stuck on a disk delays the end. */
const exitMs = 10_000;
/** Makes a namespace. Throws Error with the tool's message if the system refuses. */
async function openRunNamespace(tools, env, { clock, spawner }) {
    const { first, gone, isHeld } = await spawner.openNamespace(tools.keeper, env);
    let keeper;
    try {
        keeper = { pid: first.parent, startTicks: readStartTicks(first.parent) };
    }
    catch (error) {
        killFirst(first);
        throw error;
    }
    return {
        keeper,
        look() {
            if (!isHeld())
                return 'ending';
            try {
                return readStartTicks(first.pid) === first.startTicks && !isExiting(first.pid) ? 'alive' : 'ending';
            }
            catch {
                return 'unknown';
            }
        },
        wrap(argv, cwd) {
            const [enter, ...rest] = tools.enter;
            const target = ['--target', String(first.pid), '--'];
            return [enter, ...rest, ...target, ...tools.wait, ...tools.changeFolder, cwd, ...tools.beginSession, ...argv];
        },
        findProcesses(waiter) {
            if (isEmpty(first, waiter))
                return [];
            const table = readProcessTable();
            const waiting = findSame(table, [waiter]);
            const found = findKin(table, { leaders: [], members: [...findSame(table, [first]), ...waiting] });
            // Only the first process and its reader belong to the keeper's session, and no other process can join it.
            const inside = found.filter(row => row.session !== first.session && row.pid !== waiter.pid);
            return inside.length > 0 ? inside : waiting;
        },
        async end() {
            killFirst(first);
            const over = new AbortController();
            const inTime = await Promise.race([gone.then(() => true), clock.sleep(exitMs, over.signal).then(() => false)]);
            over.abort();
            return inTime;
        },
    };
}
/** Without a free descriptor nothing in /proc can be read, and it is killed all the same. */
function killFirst(first) {
    const found = readProcess(first.pid);
    if (found !== undefined && found.startTicks !== first.startTicks)
        return;
    try {
        process.kill(first.pid, 'SIGKILL');
    }
    catch {
        // It has ended.
    }
}
/**
 * True if only the first process and its reader are left: the first process adopts everyone whose parent has ended.
 * Otherwise the whole table tells.
 */
function isEmpty(first, waiter) {
    if (readProcess(waiter.pid)?.startTicks === waiter.startTicks)
        return false;
    const children = readChildren(first.pid);
    return children?.every(pid => readProcess(pid)?.session === first.session) === true;
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/namespace-probe.js





const probeMs = 10_000;
/**
 * Tests the tools with a shell that kills itself. Inside the namespace its parent is outside and has pid 0. Its end
 * must arrive as a signal, not as an exit code. Returns what failed, or undefined.
 */
async function probeNamespace(tools, env, clock) {
    try {
        const namespace = await openRunNamespace(tools, env, { clock, spawner: directSpawner });
        try {
            return await probeEnd(namespace.wrap(['/bin/sh', '-c', 'echo "$PPID"; kill -KILL $$'], '/'), env, clock);
        }
        finally {
            await namespace.end();
        }
    }
    catch (error) {
        return (0,cause/* messageOf */.bD)(error);
    }
}
async function probeEnd([file, ...args], env, clock) {
    const shell = (0,external_node_child_process_.spawn)(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
        shell[name].on('data', chunk => {
            texts[name] += String(chunk);
        });
    const over = new AbortController();
    const end = await Promise.race([(0,external_node_events_.once)(shell, 'close'), clock.sleep(probeMs, over.signal)]);
    over.abort();
    if (!Array.isArray(end)) {
        shell.kill('SIGKILL');
        return `a test program did not end within ${probeMs / 1000} s`;
    }
    const [code, signal] = end;
    const words = texts.stderr.trim() === '' ? '' : ` (${texts.stderr.trim().slice(0, 300)})`;
    if (signal !== 'SIGKILL')
        return `a program killed by SIGKILL is reported as exit code ${String(code)}${words}`;
    return texts.stdout.trim() === '0' ? undefined : 'a test program was started outside the namespace';
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/containment.js
/**
 * Keeps the processes of a run together. In a PID namespace the kernel does so: no process leaves it, and all die
 * with its first process. Without namespaces, run-processes.ts finds processes by their traces.
 */






/** Process groups with a sweep by traces. Works everywhere. */
const processGroups = { kind: 'process_group', tools: undefined, limit: [] };
/** The chosen containment does not work here. The message begins with the setting and says what is missing. */
class ContainmentError extends Error {
    name = 'ContainmentError';
}
const systemFolders = [
    ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'],
    '/run/current-system/sw/bin',
];
/**
 * Tries what works here with a small program, which takes about 30 ms. `auto` falls back to process groups. Throws
 * ContainmentError if a chosen kind does not work or limits cannot be set.
 */
async function findContainment({ choice, limits = {}, folders = systemFolders, clock = base_clock/* systemClock */.m, }) {
    const isRoot = process.getuid?.() === 0;
    const limit = await findLimiter(limits, { folders, isRoot });
    if (choice === 'process_group')
        return { ...processGroups, limit };
    const kind = choice === 'auto' ? 'pid_namespace' : choice;
    const found = await findTools(kind, { folders, isRoot, clock });
    if (typeof found !== 'string')
        return { kind, tools: found, limit };
    if (choice === 'auto')
        return { ...processGroups, limit, because: found };
    throw new ContainmentError(`containment: ${kind} does not work here: ${found}; \`process_group\` works everywhere`);
}
async function findLimiter(limits, { folders, isRoot }) {
    const flags = printLimitFlags(limits);
    if (flags.length === 0)
        return [];
    const prlimit = findTool('prlimit', folders);
    const fault = prlimit === undefined
        ? `limits: prlimit, which enforces ${flags.join(' ')}, was not found in ${folders.join(', ')}; install util-linux`
        : await findLimitFault(prlimit, limits, { isRoot });
    if (prlimit === undefined || fault !== undefined)
        throw new ContainmentError(fault);
    return [prlimit, ...flags, '--'];
}
/** Finds the tools for a namespace, or the reason why it does not work. */
async function findTools(kind, { folders, isRoot, clock }) {
    if (process.platform !== 'linux')
        return 'only Linux has PID namespaces';
    const keeperName = kind === 'bubblewrap' ? 'bwrap' : 'unshare';
    const [keeper, nsenter, timeout, env, setsid] = [keeperName, 'nsenter', 'timeout', 'env', 'setsid'].map(name => findTool(name, folders));
    if (keeper === undefined || !nsenter || !timeout || !env || !setsid) {
        const packages = kind === 'bubblewrap' ? 'bubblewrap, util-linux and coreutils' : 'util-linux and coreutils';
        const missing = Object.entries({ [keeperName]: keeper, nsenter, timeout, env, setsid })
            .filter(([, path]) => path === undefined)
            .map(([name]) => name);
        return `${missing.join(', ')} not found in ${folders.join(', ')} (packages: ${packages})`;
    }
    const tools = {
        keeper: [keeper, ...(kind === 'bubblewrap' ? bubblewrapFlags : unshareFlags(isRoot))],
        // Without root, the PID namespace is inside a user namespace, and both must be entered.
        enter: [nsenter, ...(isRoot ? [] : ['--user', '--preserve-credentials']), '--pid', '--mount', '--no-fork'],
        // Waits for the program and ends with the same status or signal. 0 means no time limit.
        wait: [timeout, '--foreground', '0'],
        changeFolder: [env, '--chdir'],
        beginSession: [setsid],
    };
    const key = JSON.stringify(tools);
    if (proven.has(key))
        return tools;
    const fault = await probeNamespace(tools, { [markerVariable]: 'probe/probe' }, clock);
    if (fault !== undefined)
        return fault;
    proven.add(key);
    return tools;
}
/** Tools that already worked in this process. */
const proven = new Set();
const bubblewrapFlags = ['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc', '--'];
/** Mounts of the machine propagate into the namespace but not out of it. */
function unshareFlags(isRoot) {
    // The same user id inside and outside keeps file ownership.
    const user = isRoot ? [] : ['--user', '--map-current-user'];
    return [...user, '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'slave', '--'];
}
function findTool(name, folders) {
    return folders.map(folder => (0,external_node_path_.join)(folder, name)).find(program_file_isProgram);
}

;// CONCATENATED MODULE: ./build/js/server/run-containment.js


/** Finds the containment for this server's runs. Throws ConfigError if the configured one does not work here. */
async function run_containment_findRunContainment({ containment: choice, limits }, log) {
    try {
        const found = await findContainment({
            choice,
            limits: { memoryMb: limits.memory_mb, processes: limits.processes, fileMb: limits.file_mb },
        });
        log('debug', 'containment of runs', { containment: found.kind, because: found.because });
        return found;
    }
    catch (error) {
        if (error instanceof ContainmentError)
            throw new config_schema_ConfigError([error.message]);
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/server/doctor/machine-check.js
/** Checks what a server needs of its machine, apart from its harnesses. */










/** `needs` says what requires the tool; undefined if nothing does, so that a missing tool is a warning. */
async function machine_check_checkTool(name, searchPath, needs) {
    const file = findProgram(name, searchPath);
    if (file === undefined)
        return {
            subject: name,
            status: needs === undefined ? 'warn' : 'fail',
            text: `not found on the server's PATH${needs === undefined ? '' : `, but ${needs}`}`,
            remedy: `install ${name}`,
        };
    try {
        return { subject: name, status: 'ok', text: `${await readProgramVersion([file], { searchPath })}, ${file}` };
    }
    catch (error) {
        const why = messageOf(error);
        return { subject: name, status: 'fail', text: `${file}: ${why}`, remedy: `reinstall ${name}` };
    }
}
async function machine_check_checkContainment(config) {
    const subject = 'containment';
    try {
        const { kind, because } = await findRunContainment(config, () => { });
        if (because === undefined)
            return { subject, status: 'ok', text: kind };
        return {
            subject,
            status: 'warn',
            text: `${kind}, because PID namespaces are not available: ${because}`,
            remedy: 'no action is required; docs/server.md lists the requirements of PID namespaces',
        };
    }
    catch (error) {
        if (!(error instanceof ConfigError))
            throw error;
        return { subject, status: 'fail', text: error.message, remedy: 'change the setting, or install what it needs' };
    }
}
/** Checks certificate and key as at startup; undefined without TLS. */
function machine_check_checkTls({ tls }, now = Date.now()) {
    if (tls === undefined)
        return undefined;
    const subject = 'TLS';
    const remedy = 'use a certificate and key that belong together, or name other files under `tls`';
    try {
        const { validTo } = readTlsFiles(tls);
        const text = `${tls.cert}, valid until ${validTo.toISOString()}`;
        if (validTo.getTime() > now)
            return { subject, status: 'ok', text };
        return {
            subject,
            status: 'warn',
            text: `${tls.cert} expired at ${validTo.toISOString()}, so clients refuse it`,
            remedy: 'replace it, then send the server SIGHUP',
        };
    }
    catch (error) {
        return { subject, status: 'fail', text: messageOf(error), remedy };
    }
}
/** Warns of a limit that is too low for agents; undefined if there is none. */
function machine_check_checkMemory(config) {
    const low = describeLowMemory(config);
    return low && { subject: 'memory', status: 'warn', ...low };
}
/** Leaves nothing in the folder, and does not create a missing one. */
async function machine_check_checkDataFolder(folder) {
    const subject = 'data folder';
    const remedy = 'make it writable for this user, or choose another folder with --data';
    try {
        const info = await stat(folder).catch(() => undefined);
        if (info !== undefined) {
            await rm(await mkdtemp(join(folder, '.doctor-')), { recursive: true });
            return { subject, status: 'ok', text: folder };
        }
        // The dot makes a file in place of the folder fail with ENOTDIR.
        await access(`${await findAncestor(folder)}/.`, constants.W_OK | constants.X_OK);
        return { subject, status: 'ok', text: `${folder}, created at the first start` };
    }
    catch (error) {
        return { subject, status: 'fail', text: `${folder} cannot be used: ${explainFolder(error)}`, remedy };
    }
}
async function findAncestor(folder) {
    const above = dirname(folder);
    const info = await stat(above).catch(() => undefined);
    return info === undefined && above !== folder ? await findAncestor(above) : above;
}

;// CONCATENATED MODULE: ./build/js/server/doctor/program-check.js






/** Checks that an agent's program exists, starts, and has the tested version. */
async function program_check_checkAgentProgram(subject, adapter, settings, serverPath) {
    const { title, program: name, versionArgs } = adapter;
    const searchPath = settings.env.PATH ?? serverPath;
    if (typeof name !== 'string') {
        const command = [process.execPath, name.file];
        return await checkVersion(subject, { command, title, where: 'part of the server' }, { searchPath, versionArgs });
    }
    const found = await findAgentProgram(name, { ...settings, searchPath });
    if (found === undefined) {
        const [text, remedy] = splitRemedy(describeMissingAgent(title, name, settings.program));
        return { subject, status: 'fail', text: `${title} ${text}`, remedy };
    }
    const pinned = isAgentProgramName(name) ? agentPrograms[name].version : undefined;
    const { command, file } = found;
    const asked = {
        command,
        title,
        where: `${file} (${placeNames[found.place]})`,
        pinned,
        name,
        repair: repairs[found.place],
    };
    return await checkVersion(subject, asked, { searchPath, versionArgs });
}
const placeNames = {
    setting: 'from the setting `program`',
    agents_folder: 'installed by agent-run',
    path: 'on the PATH',
};
const repairs = {
    setting: 'reinstall it, or set `program` to another file',
    agents_folder: 'remove its folder, then reinstall it with `npx agent-run agents install`',
    path: 'reinstall it, or set `program` to another file',
};
async function checkVersion(subject, { command, title, where, pinned, name, repair = 'reinstall agent-run' }, options) {
    let version;
    try {
        version = await readProgramVersion(command, options);
    }
    catch (error) {
        const why = messageOf(error);
        return {
            subject,
            status: 'fail',
            text: `${title}, ${where}: ${why}`,
            remedy: repair,
        };
    }
    const text = `${title} ${version}, ${where}`;
    if (pinned === undefined || pinned === version)
        return { subject, status: 'ok', text };
    return {
        subject,
        status: 'warn',
        text: `${text}; this agent-run was tested with ${pinned}`,
        remedy: `\`npx agent-run agents install ${name}\` installs ${pinned} next to it`,
    };
}
/** Checks the program of a custom harness. */
async function program_check_checkCommand(subject, { argv: [program], env, }, serverPath) {
    const file = isAbsolute(program) ? program : findProgram(program, env.PATH ?? serverPath);
    if (file !== undefined && isProgram(file))
        return { subject, status: 'ok', text: file };
    return {
        subject,
        status: 'fail',
        text: isAbsolute(program)
            ? `${program} does not exist or is not executable`
            : `${program} was not found on the server's PATH`,
        remedy: "install it, or change the harness's `command`",
    };
}
function splitRemedy(sentence) {
    const at = sentence.indexOf('. ');
    return [sentence.slice(0, at), sentence.slice(at + 2)];
}

;// CONCATENATED MODULE: ./build/js/server/skills/github-fault.js


/** Why a repository gave no skills. `resource_unavailable` may be temporary, so a kept copy may be used meanwhile. */
class github_fault_GitHubFault extends run_failure_RunFailure {
}
const settings = 'skills.github.token or git.hosts';
/**
 * Turns git's words about a host into a fault. Without a token, hosts do not say whether a repository is missing or
 * private.
 */
function readHostFault(outcome, host, hasToken) {
    const { end, output } = outcome;
    if (end.kind === 'not_started') {
        const { message } = end;
        const hint = message.startsWith('cannot start "git"')
            ? ". Install git on the server's machine or in its image"
            : '';
        // Other failures mean that no token could be made for a GitHub App.
        const isDown = /did not answer|answered 5\d\d/.test(message);
        return new github_fault_GitHubFault(isDown ? 'resource_unavailable' : 'environment_setup_failed', `${message}${hint}`);
    }
    const status = Number(/returned error: (\d{3})/.exec(output)?.[1] ?? 0);
    const said = explainGit(outcome);
    if (status >= 300 && status < 400)
        return new github_fault_GitHubFault('resource_not_found', `it has been renamed (${host} answered ${status})`);
    if (status === 429 || /rate limit/i.test(output))
        return new github_fault_GitHubFault('resource_unavailable', `${host} limits the rate of requests${said}`);
    const wantsToken = /could not read Username|Authentication failed/.test(output);
    if (wantsToken && hasToken)
        return new github_fault_GitHubFault('environment_setup_failed', `${host} rejected the token; set another one in ${settings}`);
    if (wantsToken || /not found/i.test(output)) {
        const hint = hasToken
            ? `its token, set in ${settings}, needs read access to it`
            : `a private repository needs a token, named in ${settings}`;
        return new github_fault_GitHubFault('resource_not_found', `${host} has no such repository; ${hint}`);
    }
    if (status >= 400 && status < 500)
        return new github_fault_GitHubFault('environment_setup_failed', `${host} answered ${status}${said}`);
    const what = status === 0 ? 'cannot be reached' : `answered ${status}`;
    return new github_fault_GitHubFault('resource_unavailable', `${host} ${what}${said}`);
}

;// CONCATENATED MODULE: ./build/js/server/workspace/tree-copy.js




const skippedFolders = ['.git', 'node_modules'];
/**
 * Copies a folder without .git and node_modules. Symlinks stay symlinks; sockets, pipes and devices are left out.
 * Throws RunFailure when out of room, or the signal's reason.
 */
async function copyTree({ from, to, except, signal, room }) {
    await (0,promises_.mkdir)(to, { recursive: true });
    for await (const entry of await (0,promises_.opendir)(from)) {
        signal.throwIfAborted();
        const [source, target] = [(0,external_node_path_.join)(from, entry.name), (0,external_node_path_.join)(to, entry.name)];
        if (skippedFolders.includes(entry.name) || source === except)
            continue;
        take(room, { entries: 1 });
        if (entry.isDirectory())
            await copyTree({ from: source, to: target, except, signal, room });
        else if (entry.isSymbolicLink())
            await (0,promises_.symlink)(await (0,promises_.readlink)(source), target);
        else if (entry.isFile())
            await copyPlain(source, target, { signal, room });
    }
}
/** If an agent works there, a listed file may have been replaced meanwhile. */
async function copyPlain(source, target, { signal, room }) {
    const bytesMax = room?.bytes ?? Number.POSITIVE_INFINITY;
    const bytes = await (0,border_files/* copyPlainFile */.yp)(source, { to: target, bytesMax, keepsMode: true, signal });
    if (bytes !== undefined)
        take(room, { bytes: bytes === 'too large' ? bytesMax + 1 : bytes });
    else if ((await (0,promises_.lstat)(source).catch(() => undefined))?.isFile() === true)
        throw new Error(`${source} cannot be read`);
}
function take(room, { entries = 0, bytes = 0 }) {
    if (room === undefined)
        return;
    room.entries -= entries;
    room.bytes -= bytes;
    if (room.entries < 0 || room.bytes < 0)
        throw new run_failure_RunFailure('environment_setup_failed', room.fault);
}

// EXTERNAL MODULE: ./build/js/base/process/shortage.js
var process_shortage = __webpack_require__(6199);
;// CONCATENATED MODULE: ./build/js/server/skills/skill-file.js





/** Invalid front matter. The message contains the line. */
class SkillFileError extends Error {
    name = 'SkillFileError';
}
const frontMatterCharacters = 16 * 1024;
const madeDescriptionCodePoints = 512;
const descriptionCodePoints = 1024;
/** Includes the indented lines below it. */
const fieldLines = /^(name|description):[ \t]*(.*(?:\n[ \t]+.*)*)/gm;
/**
 * Reads a SKILL.md: front matter between two lines of `---`, then Markdown. Only two strings of the front matter are
 * used: the name, otherwise `usualName`; and the description, otherwise the body's first paragraph. Throws
 * SkillFileError.
 */
function parseSkillFile(text, usualName) {
    const { frontMatter, body, bodyLine } = splitFrontMatter(text.replace(/^\uFEFF/, ''));
    const fields = parseFrontMatter(frontMatter);
    const name = skill_file_readText(fields.name) ?? usualName;
    const description = skill_file_readText(fields.description) ?? (0,base_text/* ellipsis */.gO)(findFirstParagraph(body), madeDescriptionCodePoints);
    return {
        name: (0,base_text/* ellipsis */.gO)(name, sizes/* sizes */.L.nameCodePoints),
        description: (0,base_text/* ellipsis */.gO)(description, descriptionCodePoints),
        body,
        bodyLine,
    };
}
function splitFrontMatter(text) {
    // Without a closing line, the first one is a Markdown rule, not front matter.
    const match = /^---[ \t]*(?:\r\n|\r|\n)([\s\S]*?)(?<=\r|\n)---[ \t]*(?:\r\n|\r|\n|$)/.exec(text);
    if (match === null)
        return { frontMatter: '', body: text, bodyLine: 1 };
    const [all, frontMatter = ''] = match;
    return { frontMatter, body: text.slice(all.length), bodyLine: all.split(/\r\n|\r|\n/).length };
}
function parseFrontMatter(text) {
    // The time to parse YAML grows with the square of its keys.
    if (text.length > frontMatterCharacters)
        throw new SkillFileError(`the front matter is longer than ${frontMatterCharacters} characters`);
    const lineCounter = new dist/* LineCounter */.HN();
    const document = (0,dist/* parseDocument */.Tp)(text, { lineCounter, prettyErrors: false });
    const fault = document.errors[0];
    try {
        // The opening line of the front matter is the first of the file.
        if (fault !== undefined)
            throw new Error(`line ${lineCounter.linePos(fault.pos[0]).line + 1}: ${fault.message}`);
        const fields = document.toJS();
        return (0,json/* isObject */.Gv)(fields) ? fields : {};
    }
    catch (error) {
        // Includes undefined aliases, and aliases that would expand without limit.
        const lenient = readLines(text);
        if (lenient !== undefined)
            return lenient;
        throw new SkillFileError((0,cause/* messageOf */.bD)(error));
    }
}
/**
 * Name and description as written, if YAML refuses the whole: other tools accept an unquoted `: ` or `[a] [b]`.
 * Undefined if neither is there, or a quote or bracket stays open.
 */
function readLines(text) {
    const fields = new Map();
    for (const [, key = '', written = ''] of text.replace(/\r\n?/g, '\n').matchAll(fieldLines)) {
        const value = written.replace(/^[|>][-+\d]*[ \t]*\n/, '').trim();
        const [, , quoted] = /^(["'])(.*)\1$/s.exec(value) ?? [];
        if (quoted === undefined && /^["']|^[[{][^\]}]*$/.test(value))
            return undefined;
        if (!fields.has(key))
            fields.set(key, quoted ?? value);
    }
    return fields.size === 0 ? undefined : Object.fromEntries(fields);
}
function skill_file_readText(value) {
    const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').replaceAll('\0', '\uFFFD').trim() : '';
    return text === '' ? undefined : text;
}
/** The first paragraph that is neither a heading nor code, in one line. */
function findFirstParagraph(body) {
    const paragraphs = body.split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/).map(paragraph => paragraph.trim());
    const first = paragraphs.find(paragraph => paragraph !== '' && !/^(?:#|```|~~~|<!--)/.test(paragraph));
    return (first ?? '').replace(/\s+/g, ' ').replaceAll('\0', '\uFFFD');
}

;// CONCATENATED MODULE: ./build/js/server/skills/skill-search.js







/** Folders where agents look for skills, in this order. The first hit counts. */
const usualFolders = [
    '.agents/skills',
    '.warp/skills',
    '.claude/skills',
    '.codex/skills',
    '.cursor/skills',
    '.gemini/skills',
    '.copilot/skills',
    '.factory/skills',
    '.github/skills',
    '.opencode/skills',
    'skills',
];
const fileName = 'SKILL.md';
const depthMax = 4;
const foldersMax = 5000;
/** Limit for one folder. */
const skill_search_entriesMax = 10_000;
/** A larger SKILL.md is ignored. */
const fileBytesMax = 1024 * 1024;
/** Finds the SKILL.md of that name in the usual folders of a checkout. */
async function findUsualSkill(checkout, name) {
    for (const folder of usualFolders) {
        const found = await readSkill(checkout, `${folder}/${name}/${fileName}`);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
/**
 * Finds every SKILL.md of a checkout, at most four folders deep. `isWhole` is false if there were too many folders to
 * search.
 */
async function listSkills(checkout) {
    const skills = [];
    let level = ['.'];
    let looked = 0;
    let wasWhole = true;
    for (let depth = 0; depth <= depthMax; depth += 1) {
        const next = [];
        for (const folder of level) {
            if (looked >= foldersMax)
                return { skills, isWhole: false };
            looked += 1;
            const { entries, isWhole } = await (0,folders/* readEntries */.$2)((0,external_node_path_.join)(checkout, folder), skill_search_entriesMax);
            wasWhole &&= isWhole;
            // Links to folders are not followed: they lead in circles, or to files that are found anyway.
            for (const entry of entries)
                if (entry.isDirectory() && !skippedFolders.includes(entry.name))
                    next.push((0,external_node_path_.join)(folder, entry.name));
            if (!entries.some(entry => entry.name === fileName))
                continue;
            const found = await readSkill(checkout, (0,external_node_path_.join)(folder, fileName));
            if (found !== undefined)
                skills.push(listSkill(checkout, found));
        }
        level = next;
    }
    return { skills, isWhole: wasWhole };
}
/**
 * Reads a file of a checkout. Undefined if it is missing, not a regular file, larger than 1 MiB, or outside through a
 * link.
 */
async function readSkill(checkout, path) {
    try {
        const root = await (0,promises_.realpath)(checkout);
        const real = await (0,promises_.realpath)((0,external_node_path_.join)(root, path));
        const realPath = (0,external_node_path_.relative)(root, real);
        if (realPath.split(external_node_path_.sep)[0] === '..')
            return undefined;
        const text = await (0,border_files/* readPlainFile */.b$)(real, fileBytesMax);
        return text === undefined ? undefined : { path: realPath.split(external_node_path_.sep).join('/'), text };
    }
    catch (error) {
        if ((0,process_shortage/* findShortage */.J)(error) !== undefined)
            throw error;
        return undefined;
    }
}
function listSkill(checkout, location) {
    const folder = (0,external_node_path_.dirname)(location.path);
    const folderName = (0,external_node_path_.basename)(folder === '.' ? checkout : folder);
    return { ...location, folderName, name: readName(location.text, folderName) };
}
/** A file with invalid front matter is still listed by its folder's name. */
function readName(text, folderName) {
    try {
        return parseSkillFile(text, folderName).name;
    }
    catch (error) {
        if (error instanceof SkillFileError)
            return folderName;
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/server/skills/github-tree.js
/**
 * One commit of a repository on a host, without history and without a working tree, so nothing in it is executed,
 * converted or linked. The file names are fetched first, then the contents of the requested files, all at once.
 */





const filesMax = 100;
const fetching = ['fetch', '--quiet', '--filter=blob:none', '--no-tags', '--no-recurse-submodules'];
/** The last commit of the default branch. All of these throw GitHubFault, GitFault, and errors of `execute`. */
async function github_tree_readHead(parts) {
    const listed = await askHost(parts, ['ls-remote', '--', parts.url, 'HEAD']);
    const [, commit] = /^([0-9a-f]{40,64})\tHEAD$/m.exec(listed) ?? [];
    if (commit === undefined)
        throw new github_fault_GitHubFault('resource_not_found', 'it has no commits');
    return commit;
}
/** Fetches the names of all files. */
async function fetchTree(parts, commit) {
    checkGit(await runGit(parts, ['init', '--quiet', '--bare', '--template=']), 'git cannot make a repository');
    await askHost(parts, [...fetching, '--depth=1', '--', parts.url, commit]);
}
/** Every SKILL.md by its path, at any depth. */
async function listTreeSkills(parts, commit) {
    const isKept = (entry) => /[\t/]SKILL\.md$/.test(entry) && isUsable(entry);
    const entries = await listGit(parts, ['ls-tree', '-r', '-z', '--full-tree', commit], { isKept });
    return entries.flatMap(parseFile).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
/** Whether a search of a whole repository finds it, as in a checkout. */
function isNearTop({ path }) {
    return path.split('/').length <= depthMax + 1;
}
/**
 * The files of a folder, by their paths in it: at most `filesMax` of `fileCount`. `leftOut` are links and submodules.
 */
async function listTreeFolder(parts, commit, folder) {
    let fileCount = 0;
    let leftOut = 0;
    const entries = await listGit(parts, ['ls-tree', '-r', '-z', '--full-tree', `${commit}:${folder === '.' ? '' : folder}`], {
        isKept(entry) {
            if (!isUsable(entry))
                return false;
            const isFile = parseFile(entry).length > 0;
            if (isFile)
                fileCount += 1;
            else
                leftOut += 1;
            return isFile && fileCount <= filesMax;
        },
    });
    return { files: entries.flatMap(parseFile), fileCount, leftOut };
}
/** Fetches the contents of files. */
async function fetchFiles(parts, files) {
    if (files.length === 0)
        return [];
    const ids = new Set(files.map(({ id }) => id));
    await askHost(parts, [...fetching, '--no-write-fetch-head', '--', parts.url, ...ids]);
    const asked = { stdin: printIds(files), separator: '\n', isKept: () => true };
    const sizes = await listGit(parts, ['cat-file', '--batch-check=%(objectsize)'], asked);
    if (sizes.some(size => !/^\d+$/.test(size)))
        throw new GitFault('git did not get all files');
    return files.map((file, index) => ({ ...file, size: Number(sizes[index]) }));
}
async function readFiles(parts, files) {
    const chunks = [];
    const onStdout = (chunk) => void chunks.push(chunk);
    const read = await runGit(parts, ['cat-file', '--batch=%(objectsize)'], { stdin: printIds(files), onStdout });
    checkGit(read, 'git cannot read what it fetched');
    const all = Buffer.concat(chunks);
    let next = 0;
    return files.map(({ path, isExecutable, size }) => {
        // A line with its size, the file, and a line end.
        const start = next + `${size}\n`.length;
        next = start + size + 1;
        return { path, isExecutable, base64: all.toString('base64', start, start + size) };
    });
}
async function askHost(parts, args) {
    const outcome = await runHostGit(parts, parts.url, args);
    if (outcome.end.kind === 'ended' && outcome.end.exitCode === 0)
        return outcome.output;
    const { host } = new URL(parts.url);
    throw readHostFault(outcome, host, parts.git.hosts[host] !== undefined);
}
/** Parses an entry such as `100644 blob ID\tPATH`. Undefined for a link or a submodule. */
function parseFile(entry) {
    const [, mode = '', id = '', path = ''] = /^(\d+) blob (\w+)\t(.+)$/s.exec(entry) ?? [];
    return /^100\d{3}$/.test(mode) ? [{ path, id, isExecutable: mode === '100755' }] : [];
}
/** False for paths that git itself refuses, and for paths in `.git` or `node_modules`. */
function isUsable(entry) {
    const parts = entry.slice(entry.indexOf('\t') + 1).split('/');
    return parts.every(part => !/^\.{0,2}$|\\/.test(part) && !skippedFolders.includes(part.toLowerCase()));
}
function printIds(files) {
    return files.map(({ id }) => `${id}\n`).join('');
}

;// CONCATENATED MODULE: ./build/js/server/doctor/skill-check.js




/** Asks GitHub for each repository with skills, with the token of the runs, one after another. */
async function* skill_check_checkGitHubSkills({ githubSkills }, searchPath, answerMs = 20_000) {
    if (githubSkills === undefined)
        return;
    const { repositories, url, git } = githubSkills;
    const parts = { searchPath, git, execute: executeWithin(answerMs), signal: new AbortController().signal };
    for (const name of repositories) {
        const subject = `skills of ${name}`;
        const fault = name.endsWith('/*')
            ? undefined
            : await inPassingFolder(folder => readHead({ ...parts, folder, url: `${url}/${name}.git` })).then(() => undefined, (error) => {
                if (error instanceof GitHubFault)
                    return error.message;
                throw error;
            });
        yield fault === undefined
            ? { subject, status: 'ok', text: url }
            : {
                subject,
                status: 'fail',
                text: fault,
                remedy: 'fix skills.github, or make sure that this machine and its token can read it',
            };
    }
}

;// CONCATENATED MODULE: ./build/js/server/doctor/doctor.js









/**
 * Checks everything that a server with this configuration needs, without starting one. Leaves nothing behind.
 * `asksModels` sends one short request to each model, which may cost money.
 */
async function* examineServer(config, { asksModels }) {
    const searchPath = findSearchPath(config.baseEnv);
    const { script } = config.harnesses;
    yield await checkDataFolder(config.dataDir);
    yield await checkContainment(config);
    for (const finding of [checkTls(config), checkMemory(config)])
        if (finding !== undefined)
            yield finding;
    yield* checkContainers(config);
    const hasSkills = Object.keys(config.skillRepositories).length > 0 || config.githubSkills !== undefined;
    const clones = config.environments.some(({ repositories }) => repositories.length > 0);
    yield await checkTool('git', searchPath, clones ? 'environments need it' : hasSkills ? 'skills need it' : undefined);
    yield await checkTool('bash', searchPath, script ? 'the script harness needs it' : undefined);
    yield* examineHarnesses(config, searchPath, asksModels);
    yield* checkVariables(config);
    yield* checkRepositories(config, searchPath);
    yield* checkGitHubSkills(config, searchPath);
}
async function* examineHarnesses({ harnesses: { script, commands, agents = {}, ...rest }, unreadVariables }, searchPath, asksModels) {
    const names = [...Object.keys(commands), ...Object.keys(agents)];
    if (names.length === 0 && !script)
        yield {
            subject: 'harnesses',
            status: 'fail',
            text: 'none is configured, so no run can start',
            remedy: 'add one to the configuration, such as `harnesses: { claude: { model: MODEL } }`',
        };
    try {
        createHarnesses({ script, commands, agents, ...rest });
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        yield { subject: 'harnesses', status: 'fail', text: error.message, remedy: 'fix this setting' };
    }
    for (const [name, command] of Object.entries(commands))
        yield await checkCommand(`harness ${name}: program`, command, searchPath);
    for (const [name, { kind, ...settings }] of Object.entries(agents)) {
        const adapter = agentAdapters[kind];
        if (adapter === undefined)
            continue;
        yield await checkAgentProgram(`harness ${name}: program`, adapter, settings, searchPath);
        const { endpoint, model } = settings;
        const asked = { subject: `harness ${name}: model`, endpoint, model, title: adapter.title };
        for (const { harness, text, remedy } of unreadVariables)
            if (harness === name)
                yield { subject: `harness ${name}: endpoint`, status: 'warn', text, remedy };
        yield asksModels ? await checkCall(asked) : await checkReach(asked);
    }
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/install/npm.js



/**
 * The npm next to the Node that runs this, otherwise the one on the PATH. This Node runs it if it is JavaScript.
 * Undefined if there is none.
 */
async function findNpm(searchPath) {
    const folder = (0,external_node_path_.dirname)(process.execPath);
    const places = [
        (0,external_node_path_.join)(folder, 'npm'),
        (0,external_node_path_.join)(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
        (0,external_node_path_.join)(folder, 'node_modules/npm/bin/npm-cli.js'),
        program_file_findProgram('npm', searchPath),
    ];
    for (const place of places) {
        const file = place === undefined ? undefined : await (0,promises_.realpath)(place).catch(() => undefined);
        if (file === undefined)
            continue;
        return file.endsWith('.js') ? [process.execPath, file] : [file];
    }
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/install/install-agent.js
/** Installs an agent program from its maker's package: one exact version, completely or not at all. */










/** The message is a sentence that says what to do. */
class install_agent_AgentInstallError extends Error {
    name = 'AgentInstallError';
}
/** Prefix of incomplete folders, and of those being removed. */
const install_agent_unfinished = '.unfinished-';
/** Left behind by an install whose process was killed. */
const unfinishedMaxMs = 24 * 3_600_000;
/**
 * Installs into a neighboring folder, which gets its final name once the program prints the right version. Of the
 * packages' scripts, only the one in the table runs. Throws AgentInstallError. After any error nothing is left.
 */
async function installAgent(name, program, { agentsFolder, hashes, env, signal }) {
    const folder = locateProgramFolder(agentsFolder, name, program);
    if (await isThere(folder))
        return { folder, bytes: await install_agent_measure(folder), wasThere: true };
    const searchPath = env.PATH ?? '';
    const npm = await findNpm(searchPath);
    if (npm === undefined)
        throw new install_agent_AgentInstallError(`npm was not found next to ${process.execPath} or on the PATH; install npm, or install ${program.package}@${program.version} yourself and put it on the PATH`);
    await (0,promises_.mkdir)(agentsFolder, { recursive: true });
    await removeUnfinished(agentsFolder);
    const temporary = await (0,promises_.mkdtemp)((0,external_node_path_.join)(agentsFolder, install_agent_unfinished));
    try {
        await (0,promises_.writeFile)((0,external_node_path_.join)(temporary, 'package.json'), '{ "private": true }\n');
        const specifier = `${program.package}@${program.version}`;
        const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
        await execute([...npm, 'install', ...flags, '--prefix', temporary, specifier], {
            cwd: temporary,
            env,
            signal,
            what: `npm could not install ${specifier}`,
            remedy: 'check the network and the npm registry (`npm ping`)',
        });
        // Before anything of the packages runs.
        if (hashes !== undefined)
            await checkHashes(temporary, specifier, hashes);
        if (program.setup !== undefined)
            await execute([process.execPath, program.setup], {
                cwd: (0,external_node_path_.join)(temporary, 'node_modules', program.package),
                env: { PATH: searchPath, HOME: temporary },
                signal,
                what: `the setup of ${specifier} failed`,
                remedy: 'check whether its maker supports this machine',
            });
        await install_agent_checkVersion(commandIn(temporary, program), program, searchPath);
        const bytes = await install_agent_measure(temporary);
        await install_agent_place(temporary, folder);
        return { folder, bytes, wasThere: false };
    }
    finally {
        await (0,promises_.rm)(temporary, { recursive: true, force: true, maxRetries: 3 });
    }
}
/** npm has compared each package with the hash that the registry names, and notes it. */
async function checkHashes(folder, specifier, hashes) {
    const text = await (0,promises_.readFile)((0,external_node_path_.join)(folder, 'node_modules/.package-lock.json'), 'utf8').catch(() => '{}');
    const noted = JSON.parse(text).packages;
    const packages = Object.entries((0,json/* isObject */.Gv)(noted) ? noted : {});
    const wrong = packages.find(([path, entry]) => {
        const name = path.split('node_modules/').at(-1) ?? '';
        return !(0,json/* isObject */.Gv)(entry) || typeof entry.integrity !== 'string' || hashes[name] !== entry.integrity;
    });
    if (packages.length > 0 && wrong === undefined)
        return;
    const what = wrong === undefined ? 'npm did not note its hash' : `${wrong[0]} does not have the hash of the tested version`;
    throw new install_agent_AgentInstallError(`${specifier} was downloaded, but ${what}; nothing was installed. Check the npm registry`);
}
async function install_agent_checkVersion(command, { package: name, version }, searchPath) {
    let said;
    try {
        said = await program_version_readProgramVersion(command, { searchPath });
    }
    catch (error) {
        throw new install_agent_AgentInstallError(`${name}@${version} was downloaded but does not work: ${(0,cause/* messageOf */.bD)(error)}; check whether its maker supports this machine`);
    }
    if (said !== version)
        throw new install_agent_AgentInstallError(`${name}@${version} was downloaded, but its program reports version ${said}; nothing was installed`);
}
/** Another install of the same version may have finished first. Its result is used. */
async function install_agent_place(temporary, folder) {
    try {
        await (0,promises_.rename)(temporary, folder);
    }
    catch (error) {
        if (!(await isThere(folder)))
            throw error;
    }
}
async function removeUnfinished(agentsFolder) {
    for (const entry of await (0,promises_.readdir)(agentsFolder)) {
        if (!entry.startsWith(install_agent_unfinished))
            continue;
        const path = (0,external_node_path_.join)(agentsFolder, entry);
        const info = await (0,promises_.stat)(path).catch(() => undefined);
        if (info !== undefined && Date.now() - info.mtimeMs > unfinishedMaxMs)
            await (0,promises_.rm)(path, { recursive: true, force: true });
    }
}
/** Throws AgentInstallError with the end of its output, or the signal's reason if that ended it. */
async function execute([file, ...args], { cwd, env, signal, what, remedy }) {
    signal?.throwIfAborted();
    const child = (0,external_node_child_process_.spawn)(file, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
            printed = `${printed}${text}`.slice(-64_000);
        });
    const onAbort = () => void child.kill('SIGTERM');
    signal?.addEventListener('abort', onAbort, { once: true });
    const end = await new Promise(resolve => {
        child.on('error', error => resolve(error.message));
        child.on('close', (code, killer) => resolve(code === 0 ? undefined : `it ended with ${killer ?? `exit code ${code}`}`));
    });
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (end === undefined)
        return;
    const said = joinSentences(readFault(printed));
    throw new install_agent_AgentInstallError(`${what}: ${said === '' ? end : said}; ${remedy}`);
}
/** npm prints the error first, then advice; other programs print the error last. */
function readFault(printed) {
    const ofNpm = [...printed.matchAll(/^npm error (.*)$/gm)].map(([, line = '']) => line.trim());
    const told = ofNpm.filter(line => line !== '' && !/^(code|errno|syscall|at) |^A complete log /.test(line));
    return told.length > 0 ? told.slice(0, 2) : (0,base_text/* lastLines */.w$)(printed, 4);
}
/** Bytes of all files. Hard links count once. */
async function install_agent_measure(folder) {
    const seen = new Set();
    let bytes = 0;
    for (const entry of await (0,promises_.readdir)(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile())
            continue;
        const info = await (0,promises_.stat)((0,external_node_path_.join)(entry.parentPath, entry.name));
        if (!seen.has(info.ino))
            bytes += info.size;
        seen.add(info.ino);
    }
    return bytes;
}
async function isThere(path) {
    return (await (0,promises_.stat)(path).catch(() => undefined)) !== undefined;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/install/package-hashes.js
/**
 * SHA-512 of the packages that npm installs for the tested version of each program, by their folder in node_modules,
 * for every platform. scripts/agent-hashes.ts writes them. A program that is not here is not installed in a step.
 */
const packageHashes = {
    claude: {
        '@anthropic-ai/claude-code': 'sha512-tvSh6bLvEbd97APD31AnojOrRC3AmcRj5R8sF8QIQitu3x2ucOb1kKmTkGDw41kjva+CGJfpkt+wYouk6yv56Q==',
        '@anthropic-ai/claude-code-darwin-arm64': 'sha512-L/F5mypyB7SK59cesiAqGv1bVNd+8xTn0LF5kV6EGL6UMhofVJMFlokhDRoxNzANNC5i/5JdzfJyDOKUbZObiA==',
        '@anthropic-ai/claude-code-darwin-x64': 'sha512-i0GV2ejBOeHMXs+XPCd1IaJj1GV3VdZl8hiQD6hLMR/N7f4Nt8q4Edj1GYJCKXPLJa/zsE9Uv6r9rZ/ldVFQPQ==',
        '@anthropic-ai/claude-code-linux-arm64': 'sha512-BlHNEtK38KBPWU31F4lUSS9sHclCyfWbThT1CErvxxH8+XcljYLZlQwdyXBkTD62rw1TgfE1u1a+quMWS0NSJg==',
        '@anthropic-ai/claude-code-linux-arm64-musl': 'sha512-jdjkkJLfAQ9M1HbT05tZHQpGNZUEPUebYwW/xpiMypZddB0lNlHlB9mXfOVV/UUPO0JCghj1NSQjxhhJc4L4CA==',
        '@anthropic-ai/claude-code-linux-x64': 'sha512-f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw==',
        '@anthropic-ai/claude-code-linux-x64-musl': 'sha512-QoQzwipnqRAdBKDAJNJ2Qvl37G6x8nCugfOQa+nuMcGIRgGEOLeWoq3pTLMQRScL37estAQBGH9ygR3WFVbIfw==',
        '@anthropic-ai/claude-code-win32-arm64': 'sha512-rd2vER0bvylh1FHmXH/xC0SjoSF6RCsP+ezmDPR6qJLn+Mm4qfmBNC2JYfAH6KmrYq6u0O8m8YL/R95yAMgNvA==',
        '@anthropic-ai/claude-code-win32-x64': 'sha512-BqPm3Fqw8LqRooC8QZUVAfaepl+jNb7JV1yp1atCyoU6kpm1CZ7z/6+IUHsrD8ljq/K2yb13obMw0mo3BA5dzw==',
    },
    codex: {
        '@openai/codex': 'sha512-1IOFzL2Xg86tLdw6kDo3GoKbkQENgQi7TI6rlEvN132R7ngSw7SNOIQoTcnKzSZZ8kf9N9GynCweSoaFbqk2Eg==',
        '@openai/codex-darwin-arm64': 'sha512-hIYTkRUpuYpkVfTq4cpby0PXqhAVcIgE7f6FoyY1lt2RyARj3GXS1Can/dIYUBItVhXzhb98HYHZNzCX74QRlQ==',
        '@openai/codex-darwin-x64': 'sha512-pwN5uNEKx/mZjwBEf/6CKq6SJMfJS5kruV3sJQAk7ebIPvC58Ote3CicIxETDZtjLj35rNv3PLPd7mHCg6hGPw==',
        '@openai/codex-linux-arm64': 'sha512-9z17t4bbUJ9UCIb49O4PoA+ki+45q3rd8nZ8PeH6sYnlKkBld/Xpo/OS3h3Ti954+foshX4o7k5TCU8N7zzqQA==',
        '@openai/codex-linux-x64': 'sha512-l66NZkQgdk2C3pbcfULDz42yEUB581MVA6I+Y43Wp4OIqEy73HCdmZ0GTjeAHY2ycuH4N00d9VsLrwT1jxshTw==',
        '@openai/codex-win32-arm64': 'sha512-kkavDHtAkkNaYtO7eBw4IdBbE/PsWP+Ezp9JXcr/mBu/Cc7EevzFVIVC3sZYvWsF9xuvyjIUv9CKeN0LU0+N9Q==',
        '@openai/codex-win32-x64': 'sha512-HKWBK25tLQxdEg6svw0CrBf+v0bQhRyF8EBVdNqeRxErqpfFa/dfSar6r3sJt6tyPqozOtgz2BH8B2G3n/+gnQ==',
    },
    gemini: {
        '@github/keytar': 'sha512-mRW6cUsSG+nj4jp5gp8e91zPySaT73r+2JM6VyMZfrEgksjPmjSMr+tPGNOK3HUHV+GUU9B1LAiiYy/wmAnIxA==',
        '@google/gemini-cli': 'sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==',
        '@lydell/node-pty': 'sha512-VDD8LtlMTOrPKWMXUAcB9+LTktzuunqrMwkYR1DMRBkS6LQrCt+0/Ws1o2rMml/n3guePpS7cxhHF7Nm5K4iMw==',
        '@lydell/node-pty-darwin-arm64': 'sha512-7kFD+owAA61qmhJCtoMbqj3Uvff3YHDiU+4on5F2vQdcMI3MuwGi7dM6MkFG/yuzpw8LF2xULpL71tOPUfxs0w==',
        '@lydell/node-pty-darwin-x64': 'sha512-XZdvqj5FjAMjH8bdp0YfaZjur5DrCIDD1VYiE9EkkYVMDQqRUPHYV3U8BVEQVT9hYfjmpr7dNaELF2KyISWSNA==',
        '@lydell/node-pty-linux-arm64': 'sha512-yyDBmalCfHpLiQMT2zyLcqL2Fay4Xy7rIs8GH4dqKLnEviMvPGOK7LADVkKAsbsyXBSISL3Lt1m1MtxhPH6ckg==',
        '@lydell/node-pty-linux-x64': 'sha512-NcNqRTD14QT+vXcEuqSSvmWY+0+WUBn2uRE8EN0zKtDpIEr9d+YiFj16Uqds6QfcLCHfZmC+Ls7YzwTaqDnanA==',
        '@lydell/node-pty-win32-arm64': 'sha512-JOMbCou+0fA7d/m97faIIfIU0jOv8sn2OR7tI45u3AmldKoKoLP8zHY6SAvDDnI3fccO1R2HeR1doVjpS7HM0w==',
        '@lydell/node-pty-win32-x64': 'sha512-3N56BZ+WDFnUMYRtsrr7Ky2mhWGl9xXcyqR6cexfuCqcz9RNWL+KoXRv/nZylY5dYaXkft4JaR1uVu+roiZDAw==',
        nan: 'sha512-P5mokDkSvCGBz6mZDD/2l+w9QoICRXdCyZ9ONGmTePr40oihJg3Kpn0YU3twKd6PJnwSlLBWNQeOT6yWEV2c4A==',
        'node-addon-api': 'sha512-VijLXbi3UACN69I0JVXJsX4tjACjNoQDgv2gTF6sx2wWEi8tkSg2eX8p5gSIFi8z2+DL3oHmY6OyKce38SDolg==',
        'node-pty': 'sha512-wtBMWWS7dFZm/VgqElrTvtfMq4GzJ6+edFI0Y0zyzygUSZMgZdraDUMUhCIvkjhJjme15qWmbyJbtAx4ot4uZA==',
    },
};

;// CONCATENATED MODULE: ./build/js/server/harness/agents/install/provide-agent.js
/** The program of an agent in a step: what is there is used as it is; otherwise the tested version is installed. */







/** A download of 400 MB over a slow line. */
const installMs = 15 * 60_000;
/**
 * Undefined if the program is not there and its packages have no known hashes. Throws AgentInstallError, or the
 * signal's reason.
 */
async function provideAgent(name, { version: asked, env, cwd, print, signal }) {
    const tested = programs_agentPrograms[name];
    const [searchPath, usualFolder] = [env.PATH ?? '', locateAgentsFolder(env, cwd)];
    if (asked === undefined) {
        const found = await agents_folder_findAgentProgram(name, { agentsFolder: usualFolder, searchPath });
        if (found !== undefined) {
            const isOnPath = found.place === 'path';
            const version = isOnPath ? await provide_agent_describe(found.command, searchPath, tested.version) : tested.version;
            print(`${tested.title} ${version}: ${found.file}`);
            return { agentsFolder: isOnPath ? undefined : usualFolder, version: undefined };
        }
    }
    const program = { ...tested, version: asked ?? tested.version };
    const isTested = program.version === tested.version;
    const hashes = isTested ? packageHashes[name] : undefined;
    if (asked === undefined && hashes === undefined)
        return undefined;
    const { RUNNER_TOOL_CACHE: toolCache = '', AGENT_RUN_AGENTS: named = '' } = env;
    const agentsFolder = toolCache === '' || named !== '' ? usualFolder : (0,external_node_path_.join)(toolCache, 'agent-run');
    const what = `${program.title} ${program.version}`;
    const file = commandIn(locateProgramFolder(agentsFolder, name, program), program).at(-1) ?? '';
    if ((await agents_folder_findAgentProgram(name, { agentsFolder, version: program.version, searchPath: '' })) === undefined) {
        print(`installing ${what} from npm, about ${program.megabytes} MB${isTested ? '' : noteTested(tested.version)}`);
        const time = AbortSignal.timeout(installMs);
        const stop = signal === undefined ? time : AbortSignal.any([signal, time]);
        try {
            await installAgent(name, program, { agentsFolder, hashes, env, signal: stop });
        }
        catch (error) {
            signal?.throwIfAborted();
            if (error instanceof install_agent_AgentInstallError)
                throw error;
            const why = time.aborted ? `npm took longer than ${installMs / 60_000} minutes` : (0,cause/* messageOf */.bD)(error);
            throw new install_agent_AgentInstallError(`${what} could not be installed in ${agentsFolder}: ${why}`, { cause: error });
        }
    }
    print(`${what}: ${file}`);
    return { agentsFolder, version: program.version };
}
async function provide_agent_describe(command, searchPath, tested) {
    const version = await program_version_readProgramVersion(command, { searchPath }).catch(() => undefined);
    if (version === undefined)
        return 'of an unknown version';
    return version === tested ? version : `${version}${noteTested(tested)}`;
}
function noteTested(version) {
    return ` (this release was tested with ${version})`;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/remove-agent.js
/** Removes installed agent programs (install-agent.ts), completely or not at all, and none that is in use. */




/** Entries of the agents folder, of any version. */
async function listInstalled(agentsFolder) {
    const entries = await readdir(agentsFolder).catch(() => []);
    return entries.toSorted().flatMap(entry => {
        const [name = '', version = ''] = entry.split('@');
        return isAgentProgramName(name) && version !== '' ? [{ name, version, folder: join(agentsFolder, entry) }] : [];
    });
}
/** Returns the freed bytes. Throws AgentInstallError with the processes if it is in use, and leaves it as it is. */
async function removeAgent(agentsFolder, { name, version, folder }) {
    const pids = await findUsers([folder, await realpath(folder)]);
    if (pids.length > 0)
        throw new AgentInstallError(`${name}@${version} is in use by the process${pids.length === 1 ? '' : 'es'} ${pids.join(', ')}; wait for the run to end, or cancel it`);
    const bytes = await measure(folder);
    // Renamed first, so a half-removed program is never found. The next install removes leftovers of a crash.
    const temporary = await mkdtemp(join(agentsFolder, unfinished));
    await rename(folder, join(temporary, 'removed'));
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    return bytes;
}
/** Processes that execute a file of these folders, as far as this user can see them. Empty without /proc. */
async function findUsers(folders) {
    const pids = (await readdir('/proc').catch(() => [])).filter(entry => /^\d+$/.test(entry));
    const isBelow = (path) => folders.some(folder => path.startsWith(folder + sep));
    const isUser = async (pid) => {
        const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
        const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        return [program, ...commandLine.split('\0')].some(isBelow);
    };
    const found = [];
    for (const pid of pids)
        if (await isUser(pid))
            found.push(Number(pid));
    return found;
}

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(4708);
// EXTERNAL MODULE: ./node_modules/@hono/node-server/dist/index.mjs + 1 modules
var node_server_dist = __webpack_require__(4735);
;// CONCATENATED MODULE: ./build/js/server/connections.js
/**
 * Limits open connections. Each takes a file descriptor that runs need, and opening one needs no key: anyone who
 * reaches the port could use up the limit of the process.
 */

/** Connections that are not counted: still in the backlog, or before the TLS handshake. */
const spare = 16;
/**
 * Closes the connection that has been idle longest when there are too many. Connections with a pending request are
 * kept: the answer comes at once, or the request had a key or a link. `event` is emitted for each new connection.
 */
function connections_boundConnections(server, event) {
    const most = findMostConnections();
    if (most === undefined)
        return;
    server.maxConnections = most + spare;
    const open = new Set();
    /** Connections without a request, the longest idle first. */
    const idle = new Set();
    server.on(event, (socket) => {
        open.add(socket);
        idle.add(socket);
        socket.once('close', () => {
            open.delete(socket);
            idle.delete(socket);
        });
        const [oldest] = idle;
        if (open.size > most)
            oldest?.destroy();
    });
    server.on('request', ({ socket }, response) => {
        idle.delete(socket);
        response.once('close', () => {
            if (!socket.destroyed)
                idle.add(socket);
        });
    });
}
/**
 * A third of the process's file limit, including the spare ones. Each connection may also download a file, and runs
 * need the rest. Undefined if the limit is unknown.
 */
function findMostConnections() {
    try {
        const openFiles = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
        return openFiles === undefined ? undefined : Math.max(8, Math.floor(Number(openFiles) / 3) - spare);
    }
    catch {
        // Not on Linux.
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/js/server/listen.js





/** Opens the port. Throws with a sentence if the port is taken or not allowed. */
async function listen(server, { host, port, tls, arrivalMs = 120_000, ownsProcess = false }) {
    const listener = getRequestListener(
    // The sockets below use HTTP/1.1 only.
    (request, { outgoing }) => server.fetch(request, outgoing), { overrideGlobalObjects: ownsProcess });
    const handle = (incoming, outgoing) => void listener(incoming, outgoing);
    // Longer than the pause between two polls, so that clients do not use a connection that is being closed.
    const times = { keepAliveTimeout: 65_000, headersTimeout: Math.min(70_000, arrivalMs), requestTimeout: arrivalMs };
    const options = { ...times, connectionsCheckingInterval: Math.min(10_000, arrivalMs) };
    const socket = tls === undefined
        ? http.createServer(options, handle)
        : https.createServer({ ...options, ...readTlsFiles(tls), handshakeTimeout: 10_000 }, handle);
    boundConnections(socket, tls === undefined ? 'connection' : 'secureConnection');
    await new Promise((resolve, reject) => {
        socket.once('error', error => reject(new Error(explainListenError(error, host, port), { cause: error })));
        socket.listen(port, host, () => {
            socket.removeAllListeners('error');
            // For example with too many open files. The connection is lost, the server continues.
            socket.on('error', error => console.error(`could not accept a connection: ${error.message}`));
            resolve();
        });
    });
    const { port: boundPort } = socket.address();
    const url = `${tls === undefined ? 'http' : 'https'}://${printHost(host)}:${boundPort}`;
    server.setAddress(url);
    return {
        url,
        reloadTls() {
            if (tls !== undefined && socket instanceof https.Server)
                socket.setSecureContext(readTlsFiles(tls));
        },
        async close(graceMs = 2000) {
            const closed = new Promise(resolve => socket.close(() => resolve()));
            socket.closeIdleConnections();
            const timer = setTimeout(() => socket.closeAllConnections(), graceMs);
            await closed;
            clearTimeout(timer);
        },
    };
}
function explainListenError(error, host, port) {
    if (error.code === 'EADDRINUSE')
        return `port ${port} on ${host} is in use; choose another with --port, or stop the program that uses it`;
    if (error.code === 'EACCES')
        return `this user is not allowed to open port ${port} on ${host}; choose a port above 1023 with --port`;
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        return `${host} is not an address of this machine; choose another with --host`;
    return `cannot listen on ${host}:${port}: ${error.message}`;
}
/** An address for clients on this machine. */
function printHost(host) {
    if (host === '0.0.0.0')
        return '127.0.0.1';
    if (host === '::')
        return '[::1]';
    return host.includes(':') ? `[${host}]` : host;
}

;// CONCATENATED MODULE: ./build/js/server/log.js
const ranks = { debug: 0, info: 1, warn: 2, error: 3 };
/** One line a message: time, level, text, `name=value` pairs. */
function createLog(write, least = 'info') {
    return (level, message, fields = {}) => {
        if (ranks[level] < ranks[least])
            return;
        const pairs = Object.entries(fields).flatMap(([name, value]) => value === undefined ? [] : [`${name}=${quoteValue(String(value))}`]);
        write([new Date().toISOString(), level, message, ...pairs].join(' '));
    };
}
function quoteValue(text) {
    return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}

// EXTERNAL MODULE: ./node_modules/uuid/dist-node/v7.js + 2 modules
var v7 = __webpack_require__(3935);
;// CONCATENATED MODULE: ./build/js/server/harness/mcp-variables.js

/** `${NAME}` and `${NAME:-default}`, as in the files of agent programs. */
const placeholder = /\$\{([A-Za-z_]\w*)(?:\}|:-([^{}]*)(\}?))/g;
const expanded = ['command', 'args', 'env', 'url', 'headers'];
/**
 * Replaces `${NAME}` with variables. If there is a default, an empty variable counts as missing. Throws RangeError;
 * the message starts with the member's path.
 */
function expandVariables(entries, variables) {
    let addedBytes = 0;
    const expand = (path, text) => text.replace(placeholder, (_all, name, fallback, end) => {
        if (end === '')
            throw new RangeError(`${path}: the default of the variable ${name} must end with "}" and have no braces in it`);
        const own = Object.hasOwn(variables, name) ? variables[name] : undefined;
        const value = own || (fallback ?? own);
        if (value === undefined)
            throw new RangeError(`${path}: the variable ${name} is not passed to the run. Pass it on (\`pass_env\` of a step, \`env\` of the harness or the environment on a server), or write \${${name}:-default}`);
        addedBytes += (0,sizes/* utf8Bytes */.d)(value);
        if (addedBytes > sizes/* sizes */.L.mcpValuesBytes)
            throw new RangeError(`${path}: all variables together must add at most ${sizes/* sizes */.L.mcpValuesBytes} bytes`);
        return value;
    });
    const walk = (path, value) => {
        if (typeof value === 'string')
            return expand(path, value);
        if (typeof value !== 'object' || value === null)
            return value;
        const walked = Object.entries(value).map(([name, each]) => [name, walk(`${path}.${name}`, each)]);
        return Array.isArray(value) ? walked.map(([, each]) => each) : Object.fromEntries(walked);
    };
    const expandEntry = (name, entry) => Object.entries(entry).map(([member, value]) => [
        member,
        expanded.includes(member) ? walk(`config.mcp_servers.${name}.${member}`, value) : value,
    ]);
    return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, Object.fromEntries(expandEntry(name, entry))]));
}

;// CONCATENATED MODULE: ./build/js/server/harness/mcp-servers.js



/** A known member that this server does not support. The text begins with its path. */
class UnsupportedMcpMember extends RangeError {
    name = 'UnsupportedMcpMember';
}
const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/**
 * The servers of a configuration that are not disabled, in its order, with the run's variables in place of `${NAME}`.
 * Throws RangeError; the message starts with the member's path.
 */
function readMcpServers({ mcp_servers: entries = {} }, variables = {}) {
    const enabled = Object.entries(entries).filter(([name, entry]) => !isDisabled(name, entry));
    const expanded = expandVariables(Object.fromEntries(enabled), variables);
    checkSizes(expanded);
    return Object.entries(expanded).map(([name, server]) => {
        const path = `config.mcp_servers.${name}`;
        if (!nameForm.test(name))
            throw new RangeError(`${path}: its name must have 1 to 64 letters, digits, "-" and "_", and start with a letter or digit`);
        const slip = findSlip(server);
        if (slip !== undefined)
            throw new RangeError(`${path}: ${slip}`);
        const { command, args = [], env = {}, url, headers = {}, warp_id: elsewhere } = server;
        const common = { name, required: server.required !== false, ...readTools(path, server) };
        if (elsewhere !== undefined)
            throw new UnsupportedMcpMember(`${path}.warp_id: this server has no MCP servers with ids; use \`command\` or \`url\``);
        if ((command === undefined) === (url === undefined))
            throw new RangeError(`${path}: needs either \`command\` (a program) or \`url\` (a server reached over HTTP)`);
        if (command !== undefined) {
            if (Object.keys(headers).length > 0)
                throw new RangeError(`${path}.headers: can be used only with \`url\`, not with \`command\``);
            if (command.trim() === '')
                throw new RangeError(`${path}.command: must not be empty`);
            return { type: 'stdio', ...common, command, args, env };
        }
        if (args.length > 0 || Object.keys(env).length > 0)
            throw new RangeError(`${path}: \`args\` and \`env\` can be used only with \`command\`, not with \`url\``);
        const address = URL.parse(url ?? '');
        // In other spellings, such as with backslashes, the redactor would not find its password.
        if (address === null || !/^https?:\/\//i.test(url ?? ''))
            throw new RangeError(`${path}.url: must be a URL that starts with http:// or https://`);
        return { type: 'http', ...common, url: address.href, headers };
    });
}
/** Names of the servers that their entries disable. */
function findDisabled({ mcp_servers: entries = {} }) {
    return Object.keys(entries).filter(name => isDisabled(name, entries[name] ?? {}));
}
function isDisabled(name, entry) {
    for (const flag of ['required', 'disabled', 'enabled'])
        if (typeof (entry[flag] ?? false) !== 'boolean')
            throw new RangeError(`config.mcp_servers.${name}.${flag}: must be true or false`);
    return entry.disabled === true || entry.enabled === false;
}
const members = ['command', 'args', 'env', 'url', 'headers', 'required', 'warp_id', 'disabled', 'enabled'];
/** Members of other programs are ignored, but one that resembles ours is a typo and refused. */
function findSlip(server) {
    for (const name of Object.keys(server).filter(name => !members.includes(name))) {
        const guess = (0,nearest/* nearest */.pA)(name, members);
        const isMeant = guess !== undefined && server[guess] === undefined && name.length > 3;
        if (isMeant)
            return `unknown member ${JSON.stringify(name)}. Did you mean "${guess}"?`;
    }
    return undefined;
}
/**
 * Members by which programs restrict a server, without `_`. Ignoring one would let the agent do more than the entry
 * says.
 */
const toolLists = /^(allowed|enabled|include)?tools$/i;
const unsupported = /^((disabled|disallowed|exclude)tools|cwd|envfile)$/i;
function readTools(path, entry) {
    let tools;
    for (const [member, value] of Object.entries(entry)) {
        const plain = member.replaceAll('_', '');
        // An empty list takes no tools away.
        if (unsupported.test(plain) && String(value) !== '')
            throw new UnsupportedMcpMember(`${path}.${member}: not supported by this server; remove it`);
        if (!toolLists.test(plain) || value === '*')
            continue;
        if (!Array.isArray(value) || value.some(name => typeof name !== 'string'))
            throw new RangeError(`${path}.${member}: must be a list of tool names`);
        if (!value.includes('*'))
            tools = tools?.filter(name => value.includes(name)) ?? value;
    }
    return tools === undefined ? {} : { tools };
}
function checkSizes(servers) {
    let all = 0;
    for (const [name, { env = {}, headers = {}, url = '' }] of Object.entries(servers)) {
        const values = [
            ...Object.entries(env).map(([key, value]) => [`env.${key}`, value]),
            ...Object.entries(headers).map(([key, value]) => [`headers.${key}`, value]),
            ['url', url],
        ];
        for (const [member, value] of values) {
            const bytes = (0,sizes/* utf8Bytes */.d)(value);
            all += bytes;
            if (bytes > sizes/* sizes */.L.mcpValueBytes)
                throw new RangeError(`config.mcp_servers.${name}.${member}: must have at most ${sizes/* sizes */.L.mcpValueBytes} bytes, not ${bytes}; put longer values into a file`);
        }
    }
    if (all > sizes/* sizes */.L.mcpValuesBytes)
        throw new RangeError(`config.mcp_servers: all \`env\`, \`headers\` and \`url\` together must have at most ${sizes/* sizes */.L.mcpValuesBytes} bytes, not ${all}`);
}

;// CONCATENATED MODULE: ./build/js/border/last-document.js
/** The JSON document that an agent's answer is, or ends with. */

/** Most bytes of one that is not the whole answer. */
const documentBytesMax = 256 * 1024;
/**
 * Of a longer answer, blocks are searched in the last part of this size: the parser takes two seconds for a list of a
 * megabyte.
 */
const blockUnitsMax = 2 * documentBytesMax;
/** Limit on places where a document may begin. An answer of nothing but brackets has many. */
const triedCharactersMax = 16 * 1024 * 1024;
/**
 * With or without terminal formatting. Only the end of the answer counts. Earlier text may be an example or the schema
 * itself.
 */
async function findDocument(answer) {
    for (const text of [answer, (0,terminal_text/* drawnText */.ai)(answer)]) {
        const found = last_document_parseJson(text) ?? last_document_parseJson(await findLastBlock(text)) ?? findLastLines(text);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
/** The code of the last block, if nothing follows it. */
async function findLastBlock(text) {
    const { readFencedBlocks } = await Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(89)]).then(__webpack_require__.bind(__webpack_require__, 89));
    const answer = text.slice(-blockUnitsMax);
    const last = readFencedBlocks(answer).at(-1);
    if (last === undefined || !['', 'json'].includes(last.language))
        return '';
    const { code, line } = last;
    const behind = answer.split(/\r\n|\r|\n/).slice(line + code.split('\n').length);
    return behind.some(text => text.trim() !== '') ? '' : code;
}
/** The object or array that starts at a line start and ends with the text. There is at most one. */
function findLastLines(answer) {
    const tail = answer.slice(-documentBytesMax);
    const starts = [...tail.matchAll(/^[[{]/gm)].map(({ index }) => index);
    let triedCharacters = 0;
    for (const start of starts.toReversed()) {
        triedCharacters += tail.length - start;
        if (triedCharacters > triedCharactersMax)
            return undefined;
        const found = last_document_parseJson(tail.slice(start));
        // A part of a broken document does not count.
        if (found !== undefined)
            return isWithinAnother(tail.slice(0, start)) ? undefined : found;
    }
    return undefined;
}
/**
 * Whether brackets of a document are still open at the end of the text. A document has no empty lines, and its
 * strings end within their line.
 */
function isWithinAnother(text) {
    let open = 0;
    // The document ends with the end of a line.
    for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
        if (line.trim() === '')
            open = 0;
        else if (open > 0 || /^[[{]/.test(line))
            open = Math.max(0, open + countOpen(line));
    }
    return open > 0;
}
/** How many more brackets a line opens than it closes, outside its strings. */
function countOpen(line) {
    let count = 0;
    let isText = false;
    for (let at = 0; at < line.length; at += 1) {
        const character = line.charAt(at);
        if (character === '"')
            isText = !isText;
        else if (isText && character === '\\')
            at += 1;
        else if (!isText && '[{'.includes(character))
            count += 1;
        else if (!isText && ']}'.includes(character))
            count -= 1;
    }
    return count;
}
function last_document_parseJson(text) {
    try {
        return { value: JSON.parse(text) };
    }
    catch {
        return undefined;
    }
}

// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(8300);
;// CONCATENATED MODULE: ./build/js/server/schema/schema-thread.js
/**
 * Compiles JSON Schemas and checks documents with them. Schema and value come from outside, and Ajv turns the schema
 * into code, which may run forever or fill the memory. So it runs in a thread (schema-program.ts) with its own memory
 * and time limit, and the server stays responsive.
 */



const checkMs = 2000;
const memoryMb = 256;
/** Threads at a time. A caller with many checks waits instead of taking every core. */
const threadsMax = 2;
/** Schemas that may wait for a thread. With more, the last one would wait longer than its caller. */
const waitingMax = 20;
const gone = { unasked: 'the caller is gone' };
const waiting = [];
let threads = 0;
/**
 * Never rejects: a check that fails or takes too long counts as refused. Aborting the signal drops the check. Checks
 * with a document, which a run waits for, are always done.
 */
async function askSchema(question, signal) {
    if (signal?.aborted === true)
        return gone;
    if (threads < threadsMax)
        threads += 1;
    else {
        const isOfRun = question.document !== undefined;
        if (!isOfRun && waiting.length >= waitingMax)
            return { unasked: `${waiting.length} schemas wait to be checked already` };
        if (!(await waitForTurn({ isOfRun, signal })))
            return gone;
    }
    try {
        return await askThread(question, signal);
    }
    finally {
        const next = waiting.shift();
        if (next === undefined)
            threads -= 1;
        else
            next();
    }
}
/** Whether it got its turn. */
async function waitForTurn({ isOfRun, signal, }) {
    const { promise, resolve } = Promise.withResolvers();
    const take = () => resolve(true);
    const leave = () => {
        const place = waiting.indexOf(take);
        // The called check owns the turn and passes it on.
        if (place < 0)
            return;
        waiting.splice(place, 1);
        resolve(false);
    };
    // A run that waits for its end goes before a run that is not created yet.
    if (isOfRun)
        waiting.unshift(take);
    else
        waiting.push(take);
    signal?.addEventListener('abort', leave, { once: true });
    const isTurn = await promise;
    signal?.removeEventListener('abort', leave);
    return isTurn;
}
/**
 * Idle threads for the next check. In a step, the second check comes after the agent, which may have rewritten the
 * program's file.
 */
const idle = [];
let hasStarted = false;
let isOneThreadEnough = false;
/** From now on, ended threads are not replaced, so a step runs no code that its agent may have rewritten. */
function startOneSchemaThread() {
    isOneThreadEnough = true;
}
async function askThread(question, signal) {
    const { promise, resolve } = Promise.withResolvers();
    const kept = idle.pop();
    if (kept === undefined && hasStarted && isOneThreadEnough)
        return { unasked: 'an earlier check took too long' };
    const thread = kept ?? startThread();
    let timer;
    let hasAnswered = false;
    const ask = () => {
        timer = setTimeout(() => resolve({ refused: `it takes longer than ${checkMs / 1000} seconds` }), checkMs);
        thread.postMessage(question);
    };
    const hear = (message) => {
        // Starting a thread does not count toward the schema's time.
        if (message === 'ready')
            return ask();
        hasAnswered = true;
        resolve(message);
    };
    const fail = (error) => {
        if ((0,process_shortage/* findShortage */.J)(error) !== undefined)
            return resolve({ unasked: `no thread can be started (${error.message})` });
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        resolve({ refused: isMemory ? `it takes more than ${memoryMb} MiB of memory` : error.message });
    };
    const end = () => resolve({ refused: 'its check ended without an answer' });
    thread.on('message', hear).on('error', fail).on('exit', end);
    if (kept !== undefined) {
        kept.ref();
        ask();
    }
    const leave = () => resolve(gone);
    if (signal?.aborted === true)
        leave();
    signal?.addEventListener('abort', leave, { once: true });
    const answer = await promise;
    signal?.removeEventListener('abort', leave);
    clearTimeout(timer);
    thread.off('message', hear).off('error', fail).off('exit', end);
    if (hasAnswered) {
        thread.unref();
        idle.push(thread);
    }
    else
        await thread.terminate();
    return answer;
}
function startThread() {
    const thread = new external_node_worker_threads_.Worker(siblingProgram('schema-program', import.meta.url), {
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    hasStarted = true;
    const drop = () => {
        if (idle.includes(thread))
            idle.splice(idle.indexOf(thread), 1);
    };
    return thread.on('error', drop).on('exit', drop);
}

;// CONCATENATED MODULE: ./build/js/server/schema/output-schema.js
/**
 * The structured result of a run: how the agent is told about its schema, how it is read from the answer, and what is
 * wrong with it.
 */





const noDocument = 'it does not end with a JSON document, by itself or in a block of code with nothing behind it';
/** The end of the instructions of a run with a schema. */
function describeSchema(schema) {
    return `# Form of the final answer

End with one JSON document that satisfies this JSON Schema, and with nothing else: no text before or after it.

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\``;
}
/** The next prompt for an agent whose answer does not match the schema. */
function askForRepair(fault) {
    return `Your final answer does not have the form that was asked for: ${fault}.

Answer once more, with nothing but the JSON document that satisfies the schema of your instructions.`;
}
/** Why a schema cannot be used or checked now. Undefined if it can be used. Aborting the signal drops the check. */
async function refuseSchema(schema, signal) {
    const bytes = (0,sizes/* utf8Bytes */.d)(JSON.stringify(schema));
    if (bytes > documentBytesMax)
        return { fault: `is ${bytes} bytes long; it takes ${documentBytesMax}` };
    const answer = await askSchema({ schema }, signal);
    if ('unasked' in answer)
        return answer;
    return 'refused' in answer ? { fault: `is not a usable JSON Schema: ${answer.refused}` } : undefined;
}
/**
 * Reads an answer, with or without terminal formatting: a JSON document by itself or, at the end, one in a fenced
 * block or an object or array that starts at a line start. A repeated schema, as in an answer that repeats its task,
 * does not count.
 */
async function readStructured(schema, answer) {
    const found = await findDocument(answer);
    if (found === undefined)
        return { isValid: false, fault: noDocument };
    if ((0,json/* isNestedBeyond */.Jc)(found.value, sizes/* sizes */.L.jsonLevels))
        return { isValid: false, fault: `it is nested deeper than ${sizes/* sizes */.L.jsonLevels} levels` };
    // As it will be stored: a number that is too large becomes null.
    const document = JSON.stringify(found.value);
    const bytes = (0,sizes/* utf8Bytes */.d)(document);
    if (bytes > documentBytesMax)
        return { isValid: false, fault: `it is ${bytes} bytes long; the limit is ${documentBytesMax}` };
    if ((0,external_node_util_.isDeepStrictEqual)(found.value, schema))
        return { isValid: false, fault: 'it is the schema itself' };
    const checked = await askSchema({ schema, document });
    const why = 'unasked' in checked ? checked.unasked : 'refused' in checked ? checked.refused : undefined;
    if (why !== undefined || !('faults' in checked))
        return { isValid: false, fault: `it cannot be checked: ${why}` };
    return checked.faults.length === 0
        ? { isValid: true, value: JSON.parse(document) }
        : { isValid: false, fault: checked.faults.join('; ') };
}

;// CONCATENATED MODULE: ./build/js/server/config/complete-config.js




function findOwn({ environment_id: uid }, { environments }) {
    return uid === undefined ? undefined : findEnvironment(environments, uid);
}
function findContainer(config, surroundings) {
    const environment = findOwn(config, surroundings);
    const { image, settings } = surroundings.docker;
    const { network } = settings;
    if (environment?.image !== undefined)
        return {
            because: `config.environment_id: the environment ${environment.name} runs in a container (\`docker_image\`)`,
            network,
        };
    return image === undefined
        ? undefined
        : { because: 'this server runs agents in a container (`docker.image`)', network };
}
function refuseContainer({ because, network }, mcpServers, { engine }) {
    if (typeof engine === 'string')
        return `${because}, but ${engine}`;
    for (const server of mcpServers) {
        const fault = server.type === 'http' ? in_container_describeUnreachable(server.url, network) : undefined;
        if (fault !== undefined)
            return `config.mcp_servers.${server.name}.url: ${fault}`;
    }
    return undefined;
}
/** Checks whether a run would work, before it is created. The signal aborts when the caller has left. */
function createConfigCheck(harnesses, surroundings) {
    return async (config, signal) => {
        const harness = harnesses.get(config.harness?.type);
        let mcpServers;
        try {
            mcpServers = readMcpServers(config, { ...findOwn(config, surroundings)?.env, ...harness?.variables });
        }
        catch (error) {
            if (!(error instanceof RangeError))
                throw error;
            const refused = error instanceof UnsupportedMcpMember ? 'operation_not_supported' : 'invalid_request';
            return { refused, message: error.message };
        }
        const refusal = config.output_schema && (await refuseSchema(config.output_schema, signal));
        if (refusal !== undefined)
            return 'fault' in refusal
                ? { refused: 'invalid_request', message: `config.output_schema ${refusal.fault}` }
                : {
                    refused: 'resource_unavailable',
                    message: `config.output_schema cannot be checked right now: ${refusal.unasked}. Try again later.`,
                };
        const moreSkills = (config.skills ?? []).length > 1;
        const container = findContainer(config, surroundings);
        const message = (container && refuseContainer(container, mcpServers, surroundings)) ??
            harness?.refuse({ modelId: config.model_id, mcpServers, moreSkills, container });
        if (message !== undefined)
            return { refused: 'operation_not_supported', message };
        const model = config.model_id ?? harness?.defaultModel;
        return { config: { ...config, ...(model === undefined ? {} : { model_id: model }) } };
    };
}

;// CONCATENATED MODULE: ./build/js/server/config/workspace-folder.js



/**
 * Rejects a workspace that contains the data folder or is inside it. A run that cleans its folder must not delete the
 * database, and the server's cleanup must not delete anyone's work. Neither folder need exist. Throws ConfigError.
 */
function refuseSharedFolder(workspace, dataDir) {
    const [work, data] = [findRealPath(workspace), findRealPath(dataDir)];
    const remedy = 'choose a folder outside the workspace with --data (setting `data`)';
    if (workspace_folder_isWithin(work, data))
        throw new config_schema_ConfigError([`workspace: the data folder ${dataDir} is inside the workspace ${workspace}; ${remedy}`]);
    if (workspace_folder_isWithin(data, work))
        throw new config_schema_ConfigError([`workspace: ${workspace} is inside the data folder ${dataDir}; ${remedy}`]);
}
function workspace_folder_isWithin(folder, path) {
    return (0,external_node_path_.relative)(folder, path).split(external_node_path_.sep)[0] !== '..';
}
/** Resolves links as far as the path exists. */
function findRealPath(path) {
    try {
        return (0,external_node_fs_.realpathSync)(path);
    }
    catch (error) {
        if ((0,external_node_path_.dirname)(path) === path)
            throw error;
        return (0,external_node_path_.join)(findRealPath((0,external_node_path_.dirname)(path)), (0,external_node_path_.basename)(path));
    }
}

;// CONCATENATED MODULE: ./build/js/server/error-text.js
/**
 * Describes errors for the server's log. Errors of JavaScript, Node and libraries may quote a rejected value, which
 * may be a secret. Only their name and code are logged. Messages are logged for system errors (they quote paths),
 * database errors (they quote the server's own statements) and plain `Error` objects.
 */
/** One line: `Error: ENOSPC: no space left on device, write`, or `TypeError ERR_INVALID_ARG_VALUE`. */
function describeError(error) {
    if (!(error instanceof Error))
        return `a thrown ${typeof error}`;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    const isOfSystem = 'errno' in error && 'syscall' in error;
    const isTold = isOfSystem || code === 'ERR_SQLITE_ERROR' || (error.name === 'Error' && code === undefined);
    return isTold ? `${error.name}: ${error.message}` : [error.name, ...(code === undefined ? [] : [code])].join(' ');
}
/** Adds the stack. */
function traceError(error) {
    const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
    return [describeError(error), ...stack.split('\n').filter(line => /^ {4}at /.test(line))].join('\n');
}

;// CONCATENATED MODULE: ./build/js/server/dispatch/local-dispatcher.js


/** The most that a lost wake can cost. */
const napMs = 5000;
const leaseLookMs = 500;
/** Pauses after a run was put back for a shortage. Doubled each time up to the second value. */
const pauseMs = [1000, 30_000];
/** A longer gap between two lease checks, or between two clocks, means that time jumped. */
const jumpMs = 5000;
function createLocalDispatcher(parts) {
    return new Dispatcher(parts);
}
class Dispatcher {
    #parts;
    #inHand = new Map();
    #noMoreClaims = new AbortController();
    #stopRuns = new AbortController();
    #nap = new AbortController();
    #pause = { ms: 0, untilMs: 0 };
    #claiming;
    #leases;
    #stopListening = () => { };
    constructor(parts) {
        this.#parts = parts;
    }
    get runsInHand() {
        return this.#inHand.size;
    }
    start() {
        this.#stopListening = this.#parts.store.onChange(runId => {
            // Writes of our own workers free no slot and queue no run.
            if (!this.#inHand.has(runId))
                this.#wake();
        });
        this.#claiming = this.#claimLoop();
        this.#leases = this.#leaseLoop();
    }
    async stop(drainMs) {
        this.#noMoreClaims.abort();
        this.#wake();
        const timer = setTimeout(() => this.#stopRuns.abort(), Math.min(drainMs, base_clock/* longestTimerMs */.s));
        await this.#claiming;
        await Promise.all(this.#inHand.values());
        clearTimeout(timer);
        await this.#leases;
        this.#stopListening();
    }
    async #claimLoop() {
        while (!this.#noMoreClaims.signal.aborted) {
            // The nap begins before the claim, so that a wake during the claim is not lost.
            this.#nap = new AbortController();
            try {
                if (await this.#claimOne())
                    continue;
            }
            catch (error) {
                this.#parts.log('error', 'could not claim a run', { error: describeError(error) });
            }
            const leftMs = this.#pause.untilMs - this.#parts.clock.monotonicMs();
            await this.#sleep(leftMs > 0 ? Math.min(leftMs, napMs) : napMs, AbortSignal.any([this.#nap.signal, this.#noMoreClaims.signal]));
        }
    }
    async #claimOne() {
        const { store, work, concurrency, clock } = this.#parts;
        if (this.#inHand.size >= concurrency || clock.monotonicMs() < this.#pause.untilMs)
            return false;
        const run = await store.claimRun();
        if (run === undefined)
            return false;
        const working = work(run, this.#stopRuns.signal).then(state => {
            this.#notePause(state === 'QUEUED');
            this.#inHand.delete(run.runId);
            this.#wake();
        });
        this.#inHand.set(run.runId, working);
        return true;
    }
    #notePause(isShort) {
        const nowMs = this.#parts.clock.monotonicMs();
        if (!isShort)
            this.#pause = { ms: 0, untilMs: 0 };
        // Several runs that are put back together count once.
        else if (nowMs >= this.#pause.untilMs) {
            const ms = Math.min(Math.max(this.#pause.ms * 2, pauseMs[0]), pauseMs[1]);
            this.#pause = { ms, untilMs: nowMs + ms };
        }
    }
    async #leaseLoop() {
        const { store, clock, log } = this.#parts;
        let wallMs = clock.now();
        let steadyMs = clock.monotonicMs();
        let hasFailed = false;
        // Leases expire as long as runs are in progress, even while the server drains.
        while (!this.#noMoreClaims.signal.aborted || this.#inHand.size > 0) {
            await this.#sleep(leaseLookMs, this.#noMoreClaims.signal.aborted ? undefined : this.#noMoreClaims.signal);
            const wallPassedMs = clock.now() - wallMs;
            const steadyPassedMs = clock.monotonicMs() - steadyMs;
            wallMs += wallPassedMs;
            steadyMs += steadyPassedMs;
            // The clock was set or the machine slept. No caller could renew its lease in that time.
            const isUntrue = Math.abs(wallPassedMs - steadyPassedMs) > jumpMs || steadyPassedMs > jumpMs;
            try {
                if (isUntrue) {
                    log('warn', 'the clock jumped or the server was suspended; every lease starts over', {
                        ms: Math.round(wallPassedMs),
                    });
                    await store.restartLeases();
                }
                for (const runId of await store.cancelLapsedLeases())
                    log('warn', 'lease expired, canceling the run', { run: runId });
                hasFailed = false;
            }
            catch (error) {
                if (!hasFailed)
                    log('error', 'could not check for expired leases', { error: describeError(error) });
                hasFailed = true;
            }
        }
    }
    #wake() {
        this.#nap.abort();
    }
    async #sleep(ms, signal) {
        await this.#parts.clock.sleep(ms, signal).catch(() => { });
    }
}

// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/watchdog-orders.js

function printOrder(order) {
    return (0,json/* printJsonLine */.ew)(order);
}
/** Reads a line of `printOrder`. Both ends run the same version of this file. */
function parseOrder(line) {
    return JSON.parse(line);
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/watchdog-link.js





const restartsMax = 5;
/** The server's end of the pipe to its watchdog. Restarts a watchdog that dies. Does not keep the server alive. */
class WatchdogLink {
    #serverId;
    #clock;
    #onLost;
    #restartsMax;
    #watched = new Map();
    #child;
    #startedAt = 0;
    #restarts = 0;
    #closing = false;
    /**
     * `onLost` is called if the watchdog cannot be kept running. A step does not restart it, because an agent may have
     * rewritten the program's file.
     */
    constructor({ serverId, clock, onLost, isInStep = false, }) {
        this.#restartsMax = isInStep ? 0 : restartsMax;
        this.#serverId = serverId;
        this.#clock = clock;
        this.#onLost = onLost;
        this.#start();
    }
    /** Called before the run's first process starts, and again with its leaders. */
    watch(runId, run) {
        this.#watched.set(runId, run);
        this.#send({ kind: 'watch', runId, ...run });
    }
    drop(runId) {
        this.#watched.delete(runId);
        this.#send({ kind: 'drop', runId });
    }
    /** Says goodbye, then kills the watchdog if it has not exited after two seconds, for example after SIGSTOP. */
    async close() {
        this.#closing = true;
        const child = this.#child;
        if (child === undefined)
            return;
        const { promise: gone, resolve } = Promise.withResolvers();
        child.once('exit', () => resolve());
        child.ref();
        child.stdin?.end(printOrder({ kind: 'goodbye' }));
        const over = new AbortController();
        const isLate = await Promise.race([gone, this.#clock.sleep(2000, over.signal).then(() => true)]);
        over.abort();
        if (isLate === true)
            child.kill('SIGKILL');
        child.unref();
    }
    #start() {
        const entry = (0,external_node_url_.fileURLToPath)(siblingProgram('watchdog', import.meta.url));
        const child = (0,external_node_child_process_.spawn)(process.execPath, [entry, this.#serverId], {
            cwd: '/',
            detached: true,
            env: {},
            stdio: ['pipe', 'ignore', 'ignore'],
        });
        this.#child = child;
        this.#startedAt = this.#clock.monotonicMs();
        child.unref();
        child.stdin?.on('error', () => { });
        if (child.stdin instanceof external_node_net_.Socket)
            child.stdin.unref();
        const { promise: gone, resolve } = Promise.withResolvers();
        child.once('error', () => resolve());
        child.once('exit', () => resolve());
        void gone.then(() => this.#replace());
        for (const [runId, run] of this.#watched)
            this.#send({ kind: 'watch', runId, ...run });
    }
    async #replace() {
        this.#child = undefined;
        if (this.#closing)
            return;
        if (this.#clock.monotonicMs() - this.#startedAt > 60_000)
            this.#restarts = 0;
        if (this.#restarts >= this.#restartsMax)
            return this.#onLost();
        this.#restarts += 1;
        await this.#clock.sleep(100 * 2 ** this.#restarts);
        if (!this.#closing)
            this.#start();
    }
    #send(order) {
        if (!this.#closing)
            this.#child?.stdin?.write(printOrder(order));
    }
}

// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./build/js/server/executor/pipe-stock.js







/** Each open pair takes four descriptors. Shells other than bash have numbers up to 9 only. */
const pairsAtOnce = { usual: 8, portable: 3 };
const firstDescriptor = 3;
const searchPath = '/usr/bin:/bin';
/** Longer than making and opening the pipes takes. */
const holdSeconds = 10;
/** Makes pipes for programs, several at once, because Node has no call for that and other programs have. */
class PipeStock {
    #spawner;
    #pairs = [];
    #making;
    constructor(spawner) {
        this.#spawner = spawner;
    }
    /** The caller closes all descriptors. Outside Linux, the pipes have names in `folder` until this returns. */
    async take(folder) {
        for (;;) {
            const pair = this.#pairs.pop();
            if (pair !== undefined)
                return pair;
            // The error of another run's folder is not this run's.
            if (this.#making !== undefined)
                await this.#making.catch(() => { });
            else
                await this.#begin(folder);
        }
    }
    async #begin(folder) {
        this.#making = this.#make(folder);
        try {
            await this.#making;
        }
        finally {
            this.#making = undefined;
        }
    }
    close() {
        for (const { out, err } of this.#pairs.splice(0))
            closeAll([out, err]);
    }
    async #make(folder) {
        const open = (paths) => {
            try {
                for (let at = 0; at < paths.length; at += 2)
                    this.#pairs.push(openPair(paths.slice(at, at + 2)));
            }
            catch (error) {
                // Short of descriptors, a few pairs will do.
                if (this.#pairs.length === 0)
                    throw error;
            }
        };
        await (hasProcessTable ? withNameless(this.#spawner, open) : withNamed(this.#spawner, folder, open));
    }
}
/**
 * Pipes of a shell, opened through its descriptors. Other programs of this user could open a name in a folder, or put
 * something else in its place.
 */
async function withNameless(spawner, open) {
    const hasBash = program_file_findProgram('bash', searchPath) !== undefined;
    const count = 2 * (hasBash ? pairsAtOnce.usual : pairsAtOnce.portable);
    const numbers = Array.from({ length: count }, (_, index) => firstDescriptor + index);
    // Older versions of bash make files of here-documents, and other shells have no `<()`, whose `:` holds a pipe's end.
    const redirects = numbers.map(number => (hasBash ? `exec ${number}< <(:); wait $!` : `exec ${number}<<E\nE`));
    const shell = hasBash ? 'bash' : 'sh';
    /** Open once all pipes are made, and held by nobody else. */
    const done = firstDescriptor + count;
    const { exited, ...leader } = await spawner.spawn({
        argv: [shell, '-c', [...redirects, `exec ${done}</dev/null`, `exec sleep ${holdSeconds}`].join('\n')],
        cwd: '/',
        env: { PATH: searchPath },
        stdio: ['ignore', 'ignore', 'ignore'],
    });
    let isOver = false;
    const ending = exited.finally(() => (isOver = true));
    ending.catch(() => { });
    const pathOf = (number) => `/proc/${leader.pid}/fd/${number}`;
    try {
        for (const deadline = performance.now() + holdSeconds * 1000; !(0,external_node_fs_.existsSync)(pathOf(done));) {
            if (isOver || performance.now() > deadline)
                throw new Error(`${shell} made no pipes`);
            await (0,external_node_timers_promises_.setTimeout)(1);
        }
        open(numbers.map(pathOf));
    }
    finally {
        signalLeaderGroup(leader, 'SIGKILL');
        await ending;
    }
}
async function withNamed(spawner, folder, open) {
    const paths = Array.from({ length: 2 * pairsAtOnce.usual }, () => (0,external_node_path_.join)(folder, `.stream-${(0,external_node_crypto_.randomUUID)()}`));
    try {
        const { exited } = await spawner.spawn({
            argv: ['mkfifo', '-m', '600', ...paths],
            cwd: '/',
            env: { PATH: searchPath },
            stdio: ['ignore', 'ignore', 'ignore'],
        });
        const { exitCode, signal } = await exited;
        if (exitCode !== 0)
            throw new Error(`mkfifo in ${folder} ended with ${signal ?? `exit code ${exitCode}`}`);
        open(paths);
    }
    finally {
        for (const path of paths)
            (0,external_node_fs_.rmSync)(path, { force: true });
    }
}
function openPair([first = '', second = '']) {
    const out = openPipe(first);
    try {
        return { out, err: openPipe(second) };
    }
    catch (error) {
        closeAll([out]);
        throw error;
    }
}
function openPipe(path) {
    // A non-blocking reader opens first, so that the writer finds it and does not block either.
    const reading = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
    try {
        return { reading, writing: (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_WRONLY), name: `pipe:[${(0,external_node_fs_.fstatSync)(reading).ino}]` };
    }
    catch (error) {
        (0,external_node_fs_.closeSync)(reading);
        throw error;
    }
}
function closeAll(pipes) {
    for (const { reading, writing } of pipes)
        for (const fd of [reading, writing])
            (0,external_node_fs_.closeSync)(fd);
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-command.js
/** Builds the command line of one container, without values of variables: every user can list command lines. */
/** Labels that find a server's containers again. */
const serverLabel = 'agent-run.server';
const runLabel = 'agent-run.run';
/** The client reads the variables from this descriptor, an unlinked file. */
const variablesFd = 3;
/** Clients read such files line by line and fail at a line of 64 KiB. */
const container_command_lineBytesMax = 60 * 1024;
/** Arguments that run a program and wait for it. The container is kept, so that its exit state can be read. */
function printRunArguments({ name, owner, command, place, settings, userFlags, passed, }) {
    const { argv, cwd, stdin } = command;
    const [program, ...args] = argv;
    const { network, memoryMb, processes, cpus } = settings;
    return [
        // prepareImage pulls images earlier, where a failed pull can be told from a failed run.
        ...['run', '--name', name, '--pull', 'never', '--init', '--log-driver', 'none', '--stop-signal', 'SIGTERM'],
        ...['--label', `${serverLabel}=${owner.serverId}`, '--label', `${runLabel}=${owner.runId}`],
        ...['--security-opt', 'no-new-privileges', ...userFlags, '--workdir', cwd],
        ...(stdin === '' ? [] : ['--interactive']),
        ...['--env-file', `/dev/fd/${variablesFd}`, ...passed.flatMap(variable => ['--env', variable])],
        ...(network === undefined ? [] : ['--network', network]),
        ...(memoryMb === undefined ? [] : ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`]),
        ...(processes === undefined ? [] : ['--pids-limit', String(processes)]),
        ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
        ...place.writable.flatMap(path => ['--mount', printMount(path)]),
        ...place.readable.flatMap(path => ['--mount', printMount(path, 'readonly')]),
        // Replaces the image's own entrypoint.
        ...['--entrypoint', program, place.image, ...args],
    ];
}
/** Arguments that list the ids of containers, including stopped ones. */
function printListArguments({ serverId, runId }) {
    const labels = [`${serverLabel}=${serverId}`, ...(runId === undefined ? [] : [`${runLabel}=${runId}`])];
    return ['ps', '--all', '--quiet', '--no-trunc', ...labels.flatMap(label => ['--filter', `label=${label}`])];
}
/** Prints a mount as one line of comma-separated values. */
function printMount(path, ...more) {
    return ['type=bind', `source=${path}`, `target=${path}`, ...more]
        .map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
        .join(',');
}
/**
 * Returns the reason, as the end of a sentence, if a variable cannot be passed on. The client needs `clientEnv`
 * itself.
 */
function divideVariables(env, clientEnv) {
    const lines = [];
    const passed = {};
    for (const [name, value] of Object.entries(env)) {
        if (!/^[^\s#=\0][^\s=\0]*$/.test(name))
            return `the name of the variable ${JSON.stringify(name)} is not valid in a container`;
        if (value.includes('\0'))
            return `the variable ${name} contains a NUL character`;
        const fits = !/[\r\n]/.test(value) && Buffer.byteLength(`${name}=${value}`) <= container_command_lineBytesMax;
        if (fits)
            lines.push(`${name}=${value}\n`);
        else if (Object.hasOwn(clientEnv, name))
            return `the variable ${name} has several lines or is too long, and the container engine uses a variable of this name itself`;
        else
            passed[name] = value;
    }
    return { file: lines.join(''), passed };
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-removal.js


const removeMs = 10_000;
const removeAllMs = 60_000;
/** Kills and removes a container. True if it certainly no longer exists, including when it never did. */
async function removeContainer(engine, idOrName, clock) {
    const deadline = clock.monotonicMs() + removeMs;
    for (;;) {
        const { code, stderr } = await container_engine_callEngine(engine, ['rm', '--force', '--volumes', idOrName]);
        if (code === 0 || isNoContainer(stderr))
            return true;
        if (clock.monotonicMs() >= deadline)
            return false;
        // Another process may be removing it, or the engine is busy.
        await clock.sleep(200);
    }
}
/**
 * Removes every container of a server or of one run, and returns their number. Repeats until it sees none for
 * `quietMs`, because one may be in the making. Throws ContainerFault if they cannot be listed or removed.
 */
async function removeContainers(engine, owner, { clock, quietMs = 0 }) {
    const removed = new Set();
    const deadline = clock.monotonicMs() + removeAllMs;
    for (let quietSince;;) {
        const { code, stdout, stderr } = await container_engine_callEngine(engine, printListArguments(owner));
        if (code !== 0)
            throw new container_engine_ContainerFault(`cannot list the containers of runs: ${describeComplaint(stderr)}`);
        const ids = stdout.split('\n').filter(id => id !== '');
        for (const id of ids) {
            if (!(await removeContainer(engine, id, clock)))
                throw new container_engine_ContainerFault(`cannot remove the container ${id.slice(0, 12)} of a run`);
            removed.add(id);
        }
        const now = clock.monotonicMs();
        quietSince = ids.length > 0 ? undefined : (quietSince ?? now);
        if (quietSince !== undefined && now - quietSince >= quietMs)
            return removed.size;
        if (now > deadline)
            throw new container_engine_ContainerFault('containers of runs are created faster than they can be removed');
        await clock.sleep(ids.length > 0 ? 20 : 100);
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/executor.js
/** The end of a program that was stopped before its start. */
const stoppedBefore = {
    kind: 'ended',
    exitCode: undefined,
    signal: undefined,
    stopped: 'signal',
    leftovers: 0,
    survivors: 0,
    survivorPids: [],
};

;// CONCATENATED MODULE: ./build/js/server/executor/output-readers.js
/** Once every process is gone, the pipes end after their remaining bytes. This limits a pause between chunks. */
const drainPauseMs = 1000;
const drainBytes = 4 * 1024 * 1024;
/** Reads both streams of a program. It awaits each chunk before the next, so the pipe fills and the program waits. */
class OutputReaders {
    /** Resolves when neither stream is read any more. */
    done;
    #streams;
    #onOutput;
    #onFailure;
    #open = 2;
    #inHand = 0;
    #bytes = 0;
    /** `onFailure` gets the error of `onOutput`. Nothing is read after that. */
    constructor(parts) {
        const { stdout, stderr } = parts.streams;
        this.#streams = [stdout, stderr];
        this.#onOutput = parts.onOutput;
        this.#onFailure = parts.onFailure;
        this.done = Promise.all([this.#read(stdout, 'stdout'), this.#read(stderr, 'stderr')]).then(() => { });
    }
    /** Reads to the end after every process is gone. False if a process that was not found holds a pipe open. */
    async drain(clock, signal) {
        const limit = this.#bytes + drainBytes;
        while (this.#open > 0) {
            const before = this.#bytes;
            await Promise.race([this.done, clock.sleep(drainPauseMs, signal)]);
            const isStuck = this.#inHand === 0 && this.#bytes === before;
            if (this.#open === 0 || !(isStuck || this.#bytes > limit))
                continue;
            this.#close();
            await this.done;
            return false;
        }
        return true;
    }
    get isDone() {
        return this.#open === 0;
    }
    async #read(stream, name) {
        const chunks = stream[Symbol.asyncIterator]();
        try {
            for (;;) {
                // A closed stream or a broken pipe has no more data.
                const next = await chunks.next().catch(() => ({ done: true, value: undefined }));
                if (next.done === true)
                    return;
                this.#bytes += next.value.length;
                this.#inHand += 1;
                await this.#onOutput(name, next.value);
                this.#inHand -= 1;
            }
        }
        catch (error) {
            this.#onFailure(error);
            this.#close();
        }
        finally {
            this.#open -= 1;
        }
    }
    #close() {
        for (const stream of this.#streams)
            stream.destroy();
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/stop-watch.js
/** Node's timers fire at once for longer delays. */
const timerMaxMs = 2 ** 31 - 1;
/** Waits for the first reason to stop a program: signal, time limit or `stop`. Aborting `over` ends the wait. */
function watchForStop({ signal, timeLimitMs }, clock, over) {
    const { promise, resolve } = Promise.withResolvers();
    if (signal.aborted)
        resolve('signal');
    signal.addEventListener('abort', () => resolve('signal'), { once: true, signal: over });
    clock.sleep(Math.min(timeLimitMs, timerMaxMs), over).then(() => resolve('time_limit'), () => { });
    return { stopped: promise, stop: resolve };
}

;// CONCATENATED MODULE: ./build/js/server/executor/program-pipes.js
/**
 * Gives a program a file and real pipes as standard streams. Node's own streams are sockets, and programs fail on
 * them: `echo x >/dev/stderr` fails on a socket, and bash mistakes a socket on standard input for a remote login and
 * reads the user's start-up files.
 */




/** Opens the streams. Standard input has a name in `folder` only until this returns. */
async function openProgramPipes(stdin, { folder, stock }) {
    const { out, err } = await stock.take(folder);
    const ends = [out.writing, err.writing];
    try {
        const input = stdin === '' ? undefined : openNamelessFile(stdin, folder);
        if (input !== undefined)
            ends.push(input);
        return {
            stdio: [input ?? 'ignore', out.writing, err.writing],
            stdout: new external_node_net_.Socket({ fd: out.reading, readable: true, writable: false }),
            stderr: new external_node_net_.Socket({ fd: err.reading, readable: true, writable: false }),
            names: [out.name, err.name],
            release() {
                for (const fd of ends)
                    (0,external_node_fs_.closeSync)(fd);
            },
        };
    }
    catch (error) {
        for (const fd of [...ends, out.reading, err.reading])
            (0,external_node_fs_.closeSync)(fd);
        throw error;
    }
}
/** Opens an unlinked file that holds `text`, positioned at its start. It has a name in `folder` for a moment. */
function openNamelessFile(text, folder) {
    const path = (0,external_node_path_.join)(folder, `.stream-${(0,external_node_crypto_.randomUUID)()}-in`);
    const fd = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDWR | external_node_fs_.constants.O_CREAT | external_node_fs_.constants.O_EXCL, 0o600);
    try {
        (0,external_node_fs_.rmSync)(path);
        const bytes = Buffer.from(text);
        // Writing at a position leaves the file's own position at 0, where the program begins to read.
        for (let at = 0; at < bytes.length;)
            at += (0,external_node_fs_.writeSync)(fd, bytes, at, bytes.length - at, at);
        return fd;
    }
    catch (error) {
        (0,external_node_fs_.closeSync)(fd);
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-client.js




/** Starts the client. Throws if the system cannot start it or the engine's command is missing. */
async function startClient({ file, env }, args, { stdin, folder, stock, variables, onStarted, }) {
    const pipes = await openProgramPipes(stdin, { folder, stock });
    let variablesFile;
    try {
        variablesFile = openNamelessFile(variables.file, folder);
        const child = (0,external_node_child_process_.spawn)(file, args, {
            cwd: '/',
            env: { ...env, ...variables.passed },
            detached: true,
            // The last entry becomes `variablesFd` in the client.
            stdio: [...pipes.stdio, variablesFile],
        });
        if (child.pid === undefined)
            throw (await (0,external_node_events_.once)(child, 'error'))[0];
        onStarted?.();
        return {
            pid: child.pid,
            exited: (0,external_node_events_.once)(child, 'exit').then(([code]) => (typeof code === 'number' ? code : undefined)),
            stdout: pipes.stdout,
            stderr: pipes.stderr,
            kill: () => void child.kill('SIGKILL'),
        };
    }
    catch (error) {
        pipes.stdout.destroy();
        pipes.stderr.destroy();
        throw error;
    }
    finally {
        pipes.release();
        if (variablesFile !== undefined)
            (0,external_node_fs_.closeSync)(variablesFile);
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-end.js


/**
 * Reads how a program ended after its client has ended. The client's exit code is ambiguous: 125, 126 and 127 come
 * from the engine or from the program. The container's state decides. Throws ContainerFault if the program did not
 * run or its end is unknown.
 */
async function readContainerEnd(ended) {
    const { engine, name, printed, run, code } = ended;
    const { image } = run.place;
    const { code: asked, stdout, stderr, } = await container_engine_callEngine(engine, [...['container', 'inspect', '--format', '{{json .State}}', name]]);
    if (asked !== 0 && isNoContainer(stderr))
        throw new container_engine_ContainerFault(`could not create a container from the image ${image}: ${describeComplaint(printed.stderrTail)}`);
    const state = asked === 0 ? parse(stdout) : undefined;
    if (state === undefined)
        throw new container_engine_ContainerFault(`could not find out how the program ended: ${describeComplaint(stderr)}`);
    if (!state.hasStarted)
        throw new container_engine_ContainerFault(`could not start a container from the image ${image}: ${describeComplaint(state.error || printed.stderrTail)}`);
    if (state.isRunning)
        throw new container_engine_ContainerFault(`the client of the container engine ended (${code === undefined ? 'by a signal' : `exit code ${code}`}) while the program ran: ${describeComplaint(printed.stderrTail)}`);
    const missing = readInitComplaint(printed);
    if (missing !== undefined && state.exitCode !== 0)
        return { kind: 'not_started', message: describeMissing(ended, missing) };
    return { kind: 'ended', exitCode: state.exitCode, notes: describeMemory(ended, state.isOutOfMemory) };
}
function parse(text) {
    let state;
    try {
        state = JSON.parse(text);
    }
    catch {
        return undefined;
    }
    if (!(0,json/* isObject */.Gv)(state) || typeof state.ExitCode !== 'number' || typeof state.StartedAt !== 'string')
        return undefined;
    return {
        // Engines print the year 1 for "never".
        hasStarted: !state.StartedAt.startsWith('0001-'),
        isRunning: state.Running === true,
        isOutOfMemory: state.OOMKilled === true,
        exitCode: state.ExitCode,
        error: typeof state.Error === 'string' ? state.Error : '',
    };
}
/**
 * Recognizes a program that the container's first process could not start. It then prints one line in the format of
 * tini (docker) or catatonit (podman), and nothing else is printed.
 */
function readInitComplaint({ stdoutBytes, stderrBytes, stderrTail }) {
    if (stdoutBytes > 0 || stderrBytes > 500)
        return undefined;
    const found = /^\[FATAL tini \(\d+\)\] exec .* failed: (.+)\n?$/.exec(stderrTail) ??
        /^ERROR \(catatonit:\d+\): failed to exec pid1: (.+)\n?$/.exec(stderrTail);
    return found?.[1]?.trim();
}
function describeMissing({ run: { request, place } }, why) {
    const [program] = request.command.argv;
    const cause = /no such file/i.test(why)
        ? program.includes('/')
            ? `the image ${place.image} does not have this file or cannot run it`
            : `it was not found on the PATH of the image ${place.image}`
        : /permission denied/i.test(why)
            ? `in the image ${place.image} it is not executable`
            : `the image ${place.image} cannot run it (${why})`;
    return `cannot start ${JSON.stringify(program)}: ${cause}`;
}
function describeMemory({ settings }, isOutOfMemory) {
    if (!isOutOfMemory)
        return [];
    const limit = settings.memoryMb === undefined ? 'no limit is set' : `\`docker.memory_mb\` is ${settings.memoryMb}`;
    return [`the container ran out of memory (${limit}), and the system killed one of its processes`];
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-run.js












/** The client ends with its container, unless the engine hangs. */
const clientEndMs = 10_000;
const settleMs = 500;
const tailCharacters = 4096;
/** Executes one program in a new container and removes that before returning. Throws ContainerFault. */
async function runContainer(request, place, around) {
    if (request.signal.aborted)
        return stoppedBefore;
    const { command, runId, scratchDir, onStarted } = request;
    const { serverId, engine, link, settings, stock, userFlags } = around;
    const variables = divideVariables({ ...command.env, [markerVariable]: printMarker({ serverId, runId }) }, engine.env);
    if (typeof variables === 'string')
        return { kind: 'not_started', message: `cannot start ${JSON.stringify(command.argv[0])}: ${variables}` };
    const name = `agent-run-${runId}-${(0,external_node_crypto_.randomBytes)(4).toString('hex')}`;
    const passed = Object.keys(variables.passed);
    const owner = { serverId, runId };
    const args = printRunArguments({ name, owner, command, place, settings, userFlags, passed });
    const watched = { folder: (0,external_node_fs_.realpathSync)(request.runDir), engine };
    link?.watch(runId, watched);
    try {
        const streams = { stdin: command.stdin, folder: scratchDir, stock };
        const client = await startClient(engine, args, { ...streams, variables, onStarted });
        link?.watch(runId, { ...watched, leaders: [{ pid: client.pid, startTicks: readStartTicks(client.pid) }] });
        return await followClient(client, { name, request, place }, around);
    }
    finally {
        link?.drop(runId);
    }
}
async function followClient(client, run, around) {
    const { name, request } = run;
    const { engine, clock, settings } = around;
    const over = new AbortController();
    const watch = watchForStop(request, clock, over.signal);
    const failures = [];
    const printed = { stdoutBytes: 0, stderrBytes: 0, stderrTail: '' };
    const readers = new OutputReaders({
        streams: client,
        onOutput: async (stream, chunk) => {
            if (stream === 'stdout')
                printed.stdoutBytes += chunk.length;
            else {
                printed.stderrBytes += chunk.length;
                printed.stderrTail = `${printed.stderrTail}${Buffer.from(chunk).toString()}`.slice(-tailCharacters);
            }
            await request.onOutput(stream, chunk);
        },
        onFailure: error => {
            failures.push(error);
            watch.stop('failure');
        },
    });
    try {
        const stop = await Promise.race([client.exited.then(() => undefined), watch.stopped]);
        if (stop !== undefined)
            await stopContainer(client, run, stop, around);
        const code = await client.exited;
        // Collects the remaining output. Only the client should still hold the streams.
        await Promise.race([readers.done, clock.sleep(settleMs, over.signal)]);
        const end = stop === undefined ? await readContainerEnd({ engine, settings, name, run, printed, code }) : undefined;
        const isGone = await removeContainer(engine, name, clock);
        await readers.drain(clock, over.signal);
        if (stop === 'failure' || failures.length > 0)
            throw failures[0];
        if (end?.kind === 'not_started')
            return end;
        return {
            kind: 'ended',
            // For a stopped program, the client's exit code is good enough.
            exitCode: end?.exitCode ?? code,
            signal: undefined,
            stopped: stop,
            leftovers: 0,
            survivors: isGone ? 0 : 1,
            survivorPids: [],
            notes: [...(end?.notes ?? []), ...(isGone ? [] : [`could not remove the container ${name}`])],
        };
    }
    catch (error) {
        client.kill();
        await removeContainer(engine, name, clock);
        throw error;
    }
    finally {
        over.abort();
    }
}
/** Sends SIGTERM, which the first process forwards to the program. Kills the container after the grace time. */
async function stopContainer(client, { name, request }, stop, { engine, clock }) {
    const waitForClient = async (ms) => {
        const over = new AbortController();
        const isOver = await Promise.race([client.exited.then(() => true), clock.sleep(ms, over.signal).then(() => false)]);
        over.abort();
        return isOver;
    };
    const deadline = clock.monotonicMs() + (stop === 'failure' ? 0 : request.graceMs);
    for (let isTold = false; clock.monotonicMs() < deadline;) {
        // The container may not exist yet.
        if (!isTold)
            isTold = (await container_engine_callEngine(engine, ['kill', '--signal', 'TERM', name])).code === 0;
        if (await waitForClient(isTold ? Math.max(0, deadline - clock.monotonicMs()) : 50))
            return;
    }
    // The client must not be killed while it makes its container: the engine would still make it.
    for (const lastMs = clock.monotonicMs() + clientEndMs; clock.monotonicMs() < lastMs;) {
        await container_engine_callEngine(engine, ['rm', '--force', '--volumes', name]);
        if (await waitForClient(100))
            return;
    }
    client.kill();
}

;// CONCATENATED MODULE: ./build/js/server/executor/containers/container-executor.js







/**
 * Executes each program in a container of its own, through the engine's command. Names and labels find the container
 * even if that command dies. Throws RangeError for an id that cannot mark a process.
 */
function createContainerExecutor({ serverId, engine, settings, clock, link, onSweepFault = () => { }, }) {
    printMarker({ serverId, runId: 'any' });
    const running = new Set();
    const closing = new AbortController();
    const stock = new PipeStock(directSpawner);
    /** Set after the engine's first answer. */
    let userFlags;
    /** True if listing an earlier server's containers failed and no container was made since. */
    let isUnswept = false;
    const connect = async () => {
        userFlags ??= await probeEngine(engine);
        if (isUnswept)
            await removeContainers(engine, { serverId }, { clock });
        isUnswept = false;
        return userFlags;
    };
    return {
        async execute(request) {
            if (closing.signal.aborted)
                throw new Error('the executor is closed');
            const { container } = request;
            if (container === undefined)
                throw new RangeError('a program without a container is a process');
            const signal = AbortSignal.any([request.signal, closing.signal]);
            const around = { serverId, clock, link, engine, settings, stock };
            const run = connect().then(flags => runContainer({ ...request, signal }, container, { ...around, userFlags: flags }));
            running.add(run);
            try {
                return await run;
            }
            finally {
                running.delete(run);
            }
        },
        async prepareImage(image, { signal, onPull }) {
            await connect();
            signal.throwIfAborted();
            if ((await container_engine_callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image])).code === 0)
                return;
            await onPull();
            const { code, stderr } = await container_engine_callEngine(engine, ['pull', '--quiet', image], signal);
            signal.throwIfAborted();
            if (code !== 0)
                throw new container_engine_ContainerFault(`could not pull the image ${image}: ${describeComplaint(stderr)}`);
        },
        async sweepAll() {
            try {
                return await removeContainers(engine, { serverId }, { clock });
            }
            catch (error) {
                if (!(error instanceof container_engine_ContainerFault))
                    throw error;
                isUnswept = true;
                onSweepFault(error.message);
                return 0;
            }
        },
        async close() {
            closing.abort();
            await Promise.allSettled(running);
            stock.close();
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/descendants.js


const intervalMs = 250;
/** Largest share of time spent on looking. It matters on a machine with thousands of processes. */
const costMax = 0.04;
/** Looks at all programs at intervals, as long as there are any. */
class Descendants {
    #clock;
    #programs = new Set();
    /** Ends the loop's pause; undefined while the loop is stopped. */
    #pause;
    constructor(clock) {
        this.#clock = clock;
    }
    /** Tracks the descendants of a program until it is forgotten. */
    follow(leader) {
        const program = { leader, leaders: [leader], seen: [] };
        this.#programs.add(program);
        if (hasProcessTable && this.#pause === undefined) {
            this.#pause = new AbortController();
            void this.#keepLooking(this.#pause.signal);
        }
        return {
            get leaders() {
                return program.leaders;
            },
            get seen() {
                return program.seen;
            },
            forget: () => {
                this.#programs.delete(program);
                if (this.#programs.size > 0)
                    return;
                this.#pause?.abort();
                this.#pause = undefined;
            },
        };
    }
    async #keepLooking(over) {
        for (let pauseMs = intervalMs;;) {
            await this.#clock.sleep(pauseMs, over).catch(() => { });
            if (over.aborted)
                return;
            const start = this.#clock.monotonicMs();
            this.#update();
            pauseMs = Math.max(intervalMs, (this.#clock.monotonicMs() - start) / costMax);
        }
    }
    #update() {
        let table;
        try {
            table = readProcessTable();
        }
        catch {
            // The cause may be too many open files. The next update may succeed, and the sweep looks again.
            return;
        }
        for (const program of this.#programs) {
            const seen = findKin(table, { leaders: program.leaders, members: findSame(table, program.seen) });
            const began = [...program.leaders.slice(1), ...seen.filter(row => row.pid === row.session)];
            program.seen = seen;
            program.leaders = [program.leader, ...keepOpenSessions(began, program.leader, table)];
        }
    }
}
/** Removes duplicates and empty sessions, because the kernel may reuse the number of an empty session. */
function keepOpenSessions(began, first, table) {
    const open = new Set(table.map(row => row.session));
    const byPid = new Map(began.map(({ pid, startTicks }) => [pid, { pid, startTicks }]));
    byPid.delete(first.pid);
    return [...byPid.values()].filter(({ pid }) => open.has(pid));
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/ready-namespace.js


/**
 * Keeps one namespace ready for the next program, because making one takes as long as starting a program. Nothing in
 * it depends on a run: program, folder, environment and limits come with the program, and later mounts of the machine
 * reach it.
 */
class ReadyNamespace {
    #parts;
    #ready;
    #closed = false;
    constructor(parts) {
        this.#parts = parts;
    }
    /** The namespace that is ready, or a new one. Throws Error with the tool's message if the system refuses. */
    async take() {
        const taken = this.#ready;
        this.#ready = undefined;
        const namespace = await taken;
        if (namespace?.look() === 'alive')
            return namespace;
        // Somebody may have killed it.
        await namespace?.end();
        return await this.#open();
    }
    /** Makes the next one, unless there is one. */
    prepare() {
        // The next run makes its own and reports the error.
        if (!this.#closed)
            this.#ready ??= this.#open().catch(() => undefined);
    }
    async close() {
        this.#closed = true;
        await (await this.#ready)?.end();
    }
    #open() {
        const { tools, serverId, clock, spawner } = this.#parts;
        return openRunNamespace(tools, { [markerVariable]: printMarker({ serverId }) }, { clock, spawner });
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/cleanup/sweep.js


/** For the end of a run, and for processes that an earlier server left. */
const usualSweepLimits = { quietMs: 25, budgetMs: 10_000 };
/**
 * Kills the processes of a scope until none is left. Outside Linux, it kills the leaders' process groups and cannot
 * count them. Throws if processes could not be listed during the whole sweep.
 */
async function sweep(scope, limits, clock) {
    if (!hasProcessTable)
        return sweepGroups(scope);
    const start = clock.monotonicMs();
    const seen = new Set();
    // Stops a fork bomb from outgrowing the list.
    for (const leader of scope.leaders)
        signalLeaderGroup(leader, 'SIGSTOP');
    let quietSince;
    for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, 50)) {
        const found = listProcesses(scope);
        const now = clock.monotonicMs();
        const isLate = now - start > limits.budgetMs;
        if (found instanceof Error) {
            quietSince = undefined;
            if (isLate)
                throw found;
        }
        else if (found.length > 0) {
            quietSince = undefined;
            for (const { pid, startTicks } of found)
                seen.add(`${pid} ${startTicks}`);
            if (isLate)
                return { found: seen.size, survivors: found.map(row => row.pid) };
            killGroups(found);
        }
        else {
            quietSince ??= now;
            if (now - quietSince >= limits.quietMs)
                return { found: seen.size, survivors: [] };
        }
        await clock.sleep(quietSince === undefined ? pauseMs : Math.max(limits.quietMs, 1));
    }
}
/** Sends SIGTERM once to every process of a scope, then waits until all are gone, for at most `graceMs`. */
async function terminate(scope, { graceMs, clock, find }) {
    const deadline = clock.monotonicMs() + graceMs;
    const found = hasProcessTable ? listProcesses(scope, find) : undefined;
    if (Array.isArray(found))
        for (const row of found)
            signalProcess(row, 'SIGTERM');
    else
        for (const leader of scope.leaders)
            signalLeaderGroup(leader, 'SIGTERM');
    for (;;) {
        const restMs = deadline - clock.monotonicMs();
        if (restMs <= 0 || !hasProcesses(scope, find))
            return;
        await clock.sleep(Math.min(restMs, 50));
    }
}
/** Lists a scope's processes. Returns the error if they cannot be listed now, for example with too many open files. */
function listProcesses(scope, find = () => findProcesses(scope)) {
    try {
        return find();
    }
    catch (error) {
        return error instanceof Error ? error : new Error(String(error));
    }
}
function hasProcesses(scope, find) {
    if (!hasProcessTable)
        return scope.leaders.some(leader => signalLeaderGroup(leader, 0));
    const found = listProcesses(scope, find);
    return found instanceof Error || found.length > 0;
}
function sweepGroups({ leaders }) {
    const killed = leaders.filter(leader => signalLeaderGroup(leader, 'SIGKILL'));
    return { found: killed.length, survivors: [] };
}

;// CONCATENATED MODULE: ./build/js/server/executor/start-failure.js



/**
 * Finds the same failure before the start. A wrapper program such as `env` reports a failed start by its own message
 * and exit code, which look like the program's. Undefined if the command can be started.
 */
function findStartFailure(command) {
    const { argv, cwd, env } = command;
    const [program] = argv;
    if (!start_failure_isFolder(cwd))
        return describeStartFailure(undefined, command);
    const paths = program.includes('/')
        ? [(0,external_node_path_.resolve)(cwd, program)]
        : // An empty part is the working folder. Without PATH the system uses a default.
            (env.PATH ?? '/bin:/usr/bin').split(':').map(folder => (0,external_node_path_.join)((0,external_node_path_.resolve)(cwd, folder), program));
    const codes = paths.map(path => readStartCode(path, cwd));
    if (codes.includes(undefined))
        return undefined;
    const code = codes.find(each => each !== 'ENOENT' && each !== 'ENOTDIR') ?? codes[0] ?? 'ENOENT';
    return describeStartFailure(Object.assign(new Error(code), { code }), command);
}
/** Error code that the system would give for starting the file; undefined if it would start. */
function readStartCode(path, cwd, depth = 0) {
    try {
        if (!(0,external_node_fs_.statSync)(path).isFile())
            return 'EACCES';
        (0,external_node_fs_.accessSync)(path, external_node_fs_.constants.X_OK);
    }
    catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : 'EACCES';
    }
    const interpreter = readInterpreter(path);
    // A script's interpreter may be another script, or even itself. Linux follows five levels.
    if (interpreter === undefined || depth >= 5)
        return undefined;
    return readStartCode((0,external_node_path_.resolve)(cwd, interpreter), cwd, depth + 1);
}
/** Reads the interpreter from a script's first line. Undefined if the file is not a script or cannot be read. */
function readInterpreter(path) {
    const start = Buffer.alloc(256);
    try {
        const fd = (0,border_files/* openPlainFileSync */.o8)((0,external_node_fs_.realpathSync)(path));
        try {
            (0,external_node_fs_.readSync)(fd, start, 0, start.length, 0);
        }
        finally {
            (0,external_node_fs_.closeSync)(fd);
        }
    }
    catch {
        return undefined;
    }
    return /^#![ \t]*([^ \t\n\0]+)/.exec(start.toString('latin1'))?.[1];
}
/**
 * Says in one sentence why a command cannot be started. The system reports ENOENT for three different causes.
 * Undefined if the command is not the cause: too few processes, memory or open files.
 */
function describeStartFailure(error, { argv, cwd }) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const cause = start_failure_isFolder(cwd) ? findCause(code, argv[0], cwd) : `its working folder ${cwd} does not exist`;
    return cause === undefined ? undefined : `cannot start ${JSON.stringify(argv[0])}: ${cause}`;
}
function findCause(code, program, cwd) {
    const hasPath = program.includes('/');
    const path = (0,external_node_path_.isAbsolute)(program) ? program : (0,external_node_path_.resolve)(cwd, program);
    switch (code) {
        case 'ENOENT':
            if (!hasPath)
                return 'it was not found on PATH';
            return start_failure_isThere(path) ? 'the interpreter named in its first line does not exist' : 'the file does not exist';
        case 'EACCES':
            return hasPath && start_failure_isFolder(path) ? 'it is a folder' : 'it is not executable';
        case 'ENOTDIR':
            return 'the file does not exist';
        case 'ENOEXEC':
            return 'this machine cannot run this type of file';
        case 'E2BIG':
            return 'its arguments and environment exceed the system limit';
        case 'ERR_INVALID_ARG_VALUE':
            return 'an argument or environment variable contains a NUL character';
        default:
            return undefined;
    }
}
function start_failure_isFolder(path) {
    return (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
function start_failure_isThere(path) {
    return (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false }) !== undefined;
}

;// CONCATENATED MODULE: ./build/js/server/executor/program-start.js



/** Starts the program, or returns why it cannot be started. Throws if the system is the cause. */
async function startProgram({ command, scratchDir, onStarted }, { marker, limit, stock, ready, spawner }) {
    const failure = ready === undefined && limit.length === 0 ? undefined : findStartFailure(command);
    if (failure !== undefined)
        return failure;
    // Both may wait some milliseconds for another process.
    const [piped, enclosed] = await Promise.allSettled([
        openProgramPipes(command.stdin, { folder: scratchDir, stock }),
        ready?.take(),
    ]);
    const pipes = piped.status === 'fulfilled' ? piped.value : undefined;
    const namespace = enclosed.status === 'fulfilled' ? enclosed.value : undefined;
    try {
        if (piped.status === 'rejected')
            throw piped.reason;
        if (enclosed.status === 'rejected')
            throw enclosed.reason;
        const { stdout, stderr, names, stdio } = piped.value;
        const argv = wrapCommand(command, limit, namespace);
        const env = { ...command.env, [markerVariable]: marker };
        const started = await spawner.spawn({ argv, cwd: command.cwd, env, stdio });
        onStarted?.();
        return { ...started, stdout, stderr, pipeNames: names, namespace };
    }
    catch (error) {
        pipes?.stdout.destroy();
        pipes?.stderr.destroy();
        await namespace?.end();
        const message = describeStartFailure(error, command);
        if (message === undefined)
            throw error;
        return message;
    }
    finally {
        pipes?.release();
        ready?.prepare();
    }
}
function wrapCommand({ argv, cwd }, limit, namespace) {
    const [first, ...rest] = [...limit, ...argv];
    const limited = first === undefined ? argv : [first, ...rest];
    return namespace?.wrap(limited, cwd) ?? limited;
}

;// CONCATENATED MODULE: ./build/js/server/executor/process-run.js









/** Grace for a last writer, such as `tee` at the end of a pipe. */
const process_run_settleMs = 500;
/** A pipe without holders ends at once. If it is still open after this, a process holds it or the reader is slow. */
const pipeEndMs = 100;
/** Time for the kernel to end a killed program. */
const process_run_exitMs = 10_000;
/** Time for the waiter to start the program through four small ones. Usually milliseconds. */
const process_run_startMs = 2000;
const noneFound = { found: 0, survivors: [] };
/** Executes one program and ends all of its descendants. */
async function runProcess(request, around) {
    if (request.signal.aborted)
        return stoppedBefore;
    const folder = (0,external_node_fs_.realpathSync)(request.runDir);
    around.link?.watch(request.runId, { folder });
    try {
        const owner = { serverId: around.serverId, runId: request.runId };
        const program = await startProgram(request, { ...around, marker: printMarker(owner) }).catch(async (error) => {
            // The spawner may have started the program before it died.
            if (error instanceof SpawnerFault)
                await sweep({ markers: [owner], leaders: [], folders: [folder] }, usualSweepLimits, around.clock);
            throw error;
        });
        if (typeof program === 'string')
            return { kind: 'not_started', message: program };
        try {
            return await followProgram(program, { ...request, runDir: folder }, around);
        }
        finally {
            // Has an effect only after an error; the normal path has already ended it.
            await program.namespace?.end();
        }
    }
    finally {
        around.link?.drop(request.runId);
    }
}
async function followProgram(program, request, { serverId, clock, link, descendants, orphanFolder }) {
    const { pid, startTicks, namespace } = program;
    const leader = { pid, startTicks };
    // No process leaves a namespace, so descendants need no tracking.
    const seen = namespace === undefined ? descendants.follow(leader) : followNone(leader);
    const find = namespace === undefined ? undefined : () => namespace.findProcesses(leader);
    const orphans = {
        runFolder: request.runDir,
        runId: request.runId,
        folder: orphanFolder && (0,external_node_fs_.realpathSync)(orphanFolder),
        since: leader,
        reapers: findReapers(),
    };
    const findScope = () => ({
        markers: [{ serverId, runId: request.runId }],
        leaders: seen.leaders,
        seen: seen.seen,
        folders: [request.runDir],
        orphans: [orphans],
        since: leader.startTicks,
    });
    const leaders = namespace === undefined ? [leader] : [leader, namespace.keeper];
    link?.watch(request.runId, { folder: request.runDir, leaders, orphans });
    const over = new AbortController();
    const watch = watchForStop(request, clock, over.signal);
    const failures = [];
    const onFailure = (error) => {
        failures.push(error);
        watch.stop('failure');
    };
    const readers = new OutputReaders({ streams: program, onOutput: request.onOutput, onFailure });
    const exited = program.exited.catch(error => {
        onFailure(error);
        return undefined;
    });
    try {
        const stop = await Promise.race([
            program.exited.then(() => undefined, () => watch.stopped),
            watch.stopped,
        ]);
        // Its end says nothing of the program then, which may not even have begun.
        if (stop === undefined && namespace?.look() === 'ending')
            failures.push(new SpawnerFault("the run's PID namespace was killed from outside"));
        if (stop === undefined)
            await Promise.race([readers.done, clock.sleep(process_run_settleMs, over.signal)]);
        else if (stop !== 'failure') {
            if (find !== undefined)
                await process_run_waitForStart(leader, find, clock);
            await terminate(findScope(), { graceMs: request.graceMs, clock, find });
        }
        const inside = find === undefined ? { ...noneFound, isGone: false } : await endNamespace(program, find);
        // No process is born of a namespace that is gone, so one look is enough.
        const limits = inside.isGone ? { ...usualSweepLimits, quietMs: 0 } : usualSweepLimits;
        const swept = await sweep(findScope(), limits, clock);
        await Promise.race([readers.done, clock.sleep(pipeEndMs, over.signal)]);
        const held = readers.isDone
            ? noneFound
            : await sweep({ ...findScope(), pipes: program.pipeNames }, usualSweepLimits, clock);
        const exit = await Promise.race([exited, clock.sleep(process_run_exitMs, over.signal).then(() => undefined)]);
        const unended = exit === undefined ? [leader.pid] : [];
        const survivorPids = [...new Set([...inside.survivors, ...swept.survivors, ...held.survivors, ...unended])];
        const isDrained = await readers.drain(clock, over.signal);
        if (stop === 'failure' || failures.length > 0)
            throw failures[0];
        return {
            kind: 'ended',
            exitCode: exit?.exitCode,
            signal: exit?.signal,
            stopped: stop,
            leftovers: stop === undefined ? inside.found + swept.found + held.found : 0,
            survivors: Math.max(survivorPids.length, isDrained ? 0 : 1),
            survivorPids,
        };
    }
    finally {
        over.abort();
        seen.forget();
    }
}
/** A signal to the waiter before it has started the program would be reported as an exit code. */
async function process_run_waitForStart(waiter, find, clock) {
    const deadline = clock.monotonicMs() + process_run_startMs;
    while (listOrNone(find).some(row => row.pid === waiter.pid) && clock.monotonicMs() < deadline)
        await clock.sleep(2);
}
async function endNamespace({ namespace }, find) {
    const found = listOrNone(find).length;
    const isGone = (await namespace?.end()) === true;
    return { found, survivors: isGone ? [] : listOrNone(find).map(row => row.pid), isGone };
}
/** Processes can be ended even while they cannot be listed. The count matters less. */
function listOrNone(find) {
    try {
        return find();
    }
    catch {
        return [];
    }
}
function followNone(leader) {
    return { leaders: [leader], seen: [], forget: () => { } };
}

;// CONCATENATED MODULE: ./build/js/server/executor/process-executor.js











/**
 * Executes programs as child processes with this user, each in its own session and, if available, in its own PID
 * namespace. On Linux, no process of a run outlives it, with the exceptions in SECURITY.md. Elsewhere that holds only
 * for its process group. Throws RangeError for an id that cannot mark a process.
 */
function createProcessExecutor({ serverId, watchdog = true, clock = base_clock/* systemClock */.m, spawner = directSpawner, containment = processGroups, onWatchdogLost = () => { }, link: shared, orphanFolder, }) {
    printMarker({ serverId, runId: 'any' });
    const own = watchdog && shared === undefined ? new WatchdogLink({ serverId, clock, onLost: onWatchdogLost }) : undefined;
    const link = shared ?? own;
    const descendants = new Descendants(clock);
    const stock = new PipeStock(spawner);
    const { tools, limit } = containment;
    const ready = tools && new ReadyNamespace({ tools, serverId, clock, spawner });
    const around = { serverId, clock, link, descendants, limit, stock, ready, spawner, orphanFolder };
    const running = new Set();
    const closing = new AbortController();
    return {
        containment: containment.kind,
        async execute(request) {
            if (closing.signal.aborted)
                throw new Error('the executor is closed');
            if (request.container !== undefined)
                throw new container_engine_ContainerFault('this server has no container engine');
            const signal = AbortSignal.any([request.signal, closing.signal]);
            const run = runProcess({ ...request, signal }, around);
            running.add(run);
            try {
                return await run;
            }
            finally {
                running.delete(run);
            }
        },
        async prepareImage() {
            throw new container_engine_ContainerFault('this server has no container engine');
        },
        async sweepAll() {
            return (await sweep({ markers: [{ serverId }], leaders: [] }, usualSweepLimits, clock)).found;
        },
        async close() {
            closing.abort();
            await Promise.allSettled(running);
            await ready?.close();
            stock.close();
            await own?.close();
        },
    };
}

// EXTERNAL MODULE: external "node:readline"
var external_node_readline_ = __webpack_require__(481);
;// CONCATENATED MODULE: ./build/js/server/executor/spawning/spawner-orders.js

function spawner_orders_printLine(line) {
    return (0,json/* printJsonLine */.ew)(line);
}
/** Reads a line of `printLine`. Both ends run the same version of this file. */
function spawner_orders_parseLine(line) {
    return JSON.parse(line);
}

;// CONCATENATED MODULE: ./build/js/server/executor/spawning/spawner-link.js









/** A spawner that does not answer, for example because it was stopped, is replaced. */
const spawner_link_answerMs = 30_000;
/**
 * The server's connection to its spawner, a small process that starts programs. If it dies, nobody learns how its
 * programs end, and the next request starts a new spawner. Linux only, because the spawner opens descriptors of this
 * process in /proc.
 */
class SpawnerLink {
    #waiting = new Map();
    #child;
    #gone = Promise.resolve();
    #requests = 0;
    #onLost;
    #isClosing = false;
    /** `onLost` is called when a spawner died that was not closed. */
    constructor(onLost = () => { }) {
        this.#onLost = onLost;
        this.#start();
    }
    async spawn({ argv, cwd, env, stdio }) {
        const streams = stdio.map(file => (file === 'ignore' ? null : `/proc/${process.pid}/fd/${file}`));
        const { started, ended } = await this.#request({ kind: 'program', argv, cwd, env, streams });
        if (started.kind !== 'started')
            throw new SpawnerFault('the spawner answered another request');
        const exited = ended.then(({ exitCode, signal }) => ({ exitCode, signal }));
        exited.catch(() => { });
        return { pid: started.pid, startTicks: started.startTicks, exited };
    }
    async openNamespace(argv, env) {
        const { started, ended } = await this.#request({ kind: 'namespace', argv, env });
        if (started.kind !== 'opened')
            throw new SpawnerFault('the spawner answered another request');
        const { first } = started;
        const waitForEnd = async () => {
            // A namespace ends with the spawner, but not at once.
            while (readProcess(first.pid)?.startTicks === first.startTicks)
                await (0,external_node_timers_promises_.setTimeout)(5);
        };
        let isHeld = true;
        const release = () => {
            isHeld = false;
        };
        ended.then(release, release);
        return { first, gone: ended.catch(waitForEnd), isHeld: () => isHeld };
    }
    /** Requests that are still open reject with SpawnerFault. */
    async close() {
        this.#isClosing = true;
        this.#child?.ref();
        for (const stream of [this.#child?.stdin, this.#child?.stdout])
            if (stream instanceof external_node_net_.Socket)
                stream.ref();
        this.#child?.kill('SIGKILL');
        await this.#gone;
    }
    async #request(order) {
        const child = this.#child ?? this.#start();
        this.#requests += 1;
        const id = this.#requests;
        const waiting = { started: Promise.withResolvers(), ended: Promise.withResolvers() };
        waiting.ended.promise.catch(() => { });
        this.#waiting.set(id, waiting);
        child.ref();
        child.stdin?.write(spawner_orders_printLine({ ...order, id }));
        const timer = globalThis.setTimeout(() => child.kill('SIGKILL'), spawner_link_answerMs);
        try {
            return { started: await waiting.started.promise, ended: waiting.ended.promise };
        }
        finally {
            clearTimeout(timer);
        }
    }
    #start() {
        const entry = (0,external_node_url_.fileURLToPath)(siblingProgram('spawner-program', import.meta.url));
        const child = (0,external_node_child_process_.spawn)(process.execPath, [entry], {
            cwd: '/',
            detached: true,
            env: {},
            stdio: ['pipe', 'pipe', 'ignore'],
        });
        this.#child = child;
        child.unref();
        const { promise, resolve } = Promise.withResolvers();
        this.#gone = promise;
        const lose = (error) => {
            // A process that did not start emits both `error` and `close`. By then there may be a new one.
            if (this.#child !== child)
                return;
            this.#child = undefined;
            if (!this.#isClosing)
                this.#onLost(error.message);
            for (const { started, ended } of this.#waiting.values()) {
                started.reject(error);
                ended.reject(error);
            }
            this.#waiting.clear();
            resolve();
        };
        child.once('error', cause => lose(new SpawnerFault(`the process that starts programs did not start: ${cause.message}`, { cause })));
        // `close` comes after all of its reports.
        child.once('close', (code, signal) => lose(new SpawnerFault(`the process that starts programs ended (${signal ?? `exit code ${code}`})`)));
        // A process that failed to start has no streams.
        if (child.pid === undefined)
            return child;
        child.stdin.on('error', () => { });
        for (const stream of [child.stdin, child.stdout])
            if (stream instanceof external_node_net_.Socket)
                stream.unref();
        (0,external_node_readline_.createInterface)({ input: child.stdout }).on('line', line => {
            try {
                this.#take(spawner_orders_parseLine(line));
            }
            catch {
                // Its death cut the line off. `close` follows.
            }
        });
        return child;
    }
    #take(line) {
        const waiting = this.#waiting.get(line.id);
        if (line.kind === 'started' || line.kind === 'opened') {
            waiting?.started.resolve(line);
            return;
        }
        this.#waiting.delete(line.id);
        if (this.#waiting.size === 0)
            this.#child?.unref();
        if (line.kind === 'ended')
            waiting?.ended.resolve(line);
        else {
            const { message, code } = line;
            const error = Object.assign(new Error(message), code === undefined ? {} : { code });
            waiting?.started.reject(error);
            waiting?.ended.reject(error);
        }
    }
}

;// CONCATENATED MODULE: ./build/js/server/executor/server-executor.js







/** Executes a server's programs as processes, or in containers if the request names one. One watchdog serves both. */
function createServerExecutor({ serverId, containment, orphanFolder, containers, clock = base_clock/* systemClock */.m, onWatchdogLost, onSpawnerLost, onSweepFault, }) {
    const link = new WatchdogLink({ serverId, clock, onLost: onWatchdogLost, isInStep: orphanFolder !== undefined });
    // The server of a step has few runs, and an agent may have rewritten the spawner's file.
    const spawner = hasProcessTable && orphanFolder === undefined ? new SpawnerLink(onSpawnerLost) : directSpawner;
    const processes = createProcessExecutor({ serverId, containment, orphanFolder, clock, link, spawner });
    const inContainers = containers === undefined
        ? undefined
        : createContainerExecutor({ serverId, ...containers, clock, link, onSweepFault });
    return {
        execute: request => (request.container === undefined ? processes : (inContainers ?? processes)).execute(request),
        prepareImage: (image, options) => (inContainers ?? processes).prepareImage(image, options),
        async sweepAll() {
            const swept = await processes.sweepAll();
            return swept + ((await inContainers?.sweepAll()) ?? 0);
        },
        async close() {
            await Promise.allSettled([processes.close(), inContainers?.close()]);
            await Promise.all([link.close(), spawner.close()]);
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/harness/missing-programs.js




/**
 * A warning for the server's operator about every harness whose program is missing. Not an error, because the program
 * may be installed later.
 */
async function describeMissingPrograms({ script, commands, agents = {} }, searchPath) {
    const sentences = [];
    if (script && program_file_findProgram('bash', searchPath) === undefined)
        sentences.push("harnesses.script: bash was not found on the server's PATH, so every run with it will fail");
    for (const [name, { argv, env }] of Object.entries(commands)) {
        const [program] = argv;
        const isThere = (0,external_node_path_.isAbsolute)(program)
            ? program_file_isProgram(program)
            : program_file_findProgram(program, env.PATH ?? searchPath) !== undefined;
        if (isThere)
            continue;
        const what = (0,external_node_path_.isAbsolute)(program)
            ? `${program} does not exist or is not executable`
            : `${program} was not found on the server's PATH`;
        sentences.push(`harnesses.${name}.command: ${what}, so every run with it will fail`);
    }
    for (const [name, { kind, program, agentsFolder, env }] of Object.entries(agents)) {
        const adapter = agent_table_agentAdapters[kind];
        // A part of the server is always there.
        if (typeof adapter?.program !== 'string')
            continue;
        const places = { program, agentsFolder, searchPath: env.PATH ?? searchPath };
        if ((await agents_folder_findAgentProgram(adapter.program, places)) !== undefined)
            continue;
        sentences.push(`harnesses.${name}: ${adapter.title} ${agents_folder_describeMissingAgent(adapter.title, adapter.program, program)}`);
    }
    return sentences;
}

// EXTERNAL MODULE: ./node_modules/hono/dist/index.js + 23 modules
var hono_dist = __webpack_require__(8934);
// EXTERNAL MODULE: ./build/js/contract/tables/routes.js
var routes = __webpack_require__(2117);
;// CONCATENATED MODULE: ./build/js/contract/agents.js

const flag = schemas/* enum */.k5n(['true', 'false']).default('false');
const agentQuerySchema = schemas/* object */.Ikc({
    repo: schemas/* string */.YjP()
        .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/, 'must be owner/name of a repository, such as octo-org/shop')
        .optional()
        .describe('Only skills of this repository (`owner/name`), also from GitHub. Default: skills of all checkouts'),
    refresh: flag.describe('Ask GitHub again even if it was asked within the last minute'),
    sort_by: schemas/* enum */.k5n(['name', 'last_run'])
        .default('name')
        .describe('last_run: most recently run first, then skills that never ran. Ties are sorted by name'),
    include_malformed_skills: flag.describe('Include skills whose front matter cannot be read; each has an `error`'),
});
const variantSchema = schemas/* object */.Ikc({
    id: schemas/* string */.YjP().describe('A skill_spec: `owner/repo:path/to/SKILL.md`'),
    base_prompt: schemas/* string */.YjP().describe('The text of the skill, without its front matter'),
    description: schemas/* string */.YjP(),
    environments: schemas/* array */.YOg(schemas/* object */.Ikc({ uid: schemas/* string */.YjP(), name: schemas/* string */.YjP() }))
        .describe('Environments that include its repository'),
    source: schemas/* object */.Ikc({ owner: schemas/* string */.YjP(), name: schemas/* string */.YjP(), skill_path: schemas/* string */.YjP() }),
    last_run_timestamp: schemas/* string */.YjP()
        .nullable()
        .describe('When its last run started (RFC 3339, UTC, milliseconds); null if it never ran'),
    error: schemas/* string */.YjP().optional().describe('Why the skill cannot be used'),
});
/** Skills that runs can name, those of one name together. */
const agentsAnswerSchema = schemas/* object */.Ikc({
    agents: schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), variants: schemas/* array */.YOg(variantSchema) })),
});

// EXTERNAL MODULE: ./build/js/contract/tables/headers.js
var tables_headers = __webpack_require__(8733);
;// CONCATENATED MODULE: ./build/js/server/http/problem-response.js



/** Limits on request text repeated in an answer. */
const longest = { detail: 8000, path: 200, message: 500 };
/** Thrown anywhere in a request; becomes a problem document. `detail` is for people and never contains a key. */
class RequestError extends Error {
    name = 'RequestError';
    code;
    issues;
    headers;
    constructor(code, detail, more = {}) {
        super((0,base_text/* ellipsis */.gO)(detail, longest.detail));
        this.code = code;
        this.issues = more.issues;
        this.headers = more.headers ?? {};
    }
}
/** Lists the first faults of a request, also in the detail, because many clients show only that. */
function invalidRequest(first, count = first.length) {
    const issues = first.map(({ path, message }) => ({
        path: (0,base_text/* ellipsis */.gO)(path, longest.path),
        message: (0,base_text/* ellipsis */.gO)(message, longest.message),
    }));
    const listed = issues.map(({ path, message }) => `${path}: ${message}`);
    if (count > issues.length)
        listed.push(`and ${count - issues.length} more`);
    return new RequestError('invalid_request', listed.join('; '), { issues });
}
/** Answers with `application/problem+json` (RFC 9457) and the members that the published clients expect. */
function answerProblem(c, error) {
    const row = errorCodeEntry(error.code);
    const status = row.status ?? 500;
    const problem = {
        type: `${c.get('publicUrl')}/errors/${row.code}`,
        title: row.title,
        status,
        detail: error.message,
        instance: new URL(c.req.url).pathname,
        error: `${row.title} (${error.message})`,
        retryable: row.retryable,
        trace_id: c.get('requestId'),
        ...(error.issues === undefined ? {} : { issues: error.issues }),
    };
    const headers = new Headers(error.headers);
    headers.set('Content-Type', 'application/problem+json');
    // Published clients retry every 409 and 5xx by status. This header stops useless retries.
    if (!row.retryable && status >= 409)
        headers.set(tables_headers/* headerNames */.Qb.shouldRetry, 'false');
    for (const [name, value] of headers)
        c.header(name, value);
    return c.body(JSON.stringify(problem), status);
}

;// CONCATENATED MODULE: ./build/js/server/http/request-body.js





/**
 * Bytes above the limit that are read and discarded. Clients that send the whole body before reading an answer
 * (Python's) would otherwise see a broken connection, not the 413.
 */
const discardedBytes = 64 * 1024 * 1024;
/**
 * Reads a JSON object from a request. The framework's own reader answers with text for malformed JSON, accepts
 * invalid UTF-8 and takes a missing body for `{}`. Throws RequestError: 413 before keeping more than the limit, 415,
 * 400.
 */
async function readJsonBody(request, limitBytes) {
    const body = await readOptionalJsonBody(request, limitBytes);
    if (body === undefined)
        throw invalidRequest([{ path: 'body', message: 'is missing; send a JSON object' }]);
    return body;
}
/** Reads an optional body: undefined if it is empty, whatever its content type. */
async function readOptionalJsonBody(request, limitBytes) {
    const bytes = await readBytes(request, limitBytes);
    if (bytes.length === 0)
        return undefined;
    const type = request.headers.get('Content-Type') ?? '';
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
        throw new RequestError('unsupported_media_type', `Content-Type is ${type === '' ? 'missing' : JSON.stringify(type)}; send application/json`);
    const text = decodeUtf8(bytes);
    refuseHuge(bytes);
    const body = request_body_parseJson(text);
    if (!(0,json/* isObject */.Gv)(body))
        throw invalidRequest([{ path: 'body', message: 'must be a JSON object' }]);
    const path = findProtoName(body);
    if (path !== undefined)
        throw invalidRequest([{ path: path.join('.'), message: 'must not be used as a name' }]);
    return body;
}
/** Parses with a schema. Throws RequestError with the first faults and their paths. */
function parseWith(schema, value) {
    const checked = checkValue(schema, value);
    if ('data' in checked)
        return checked.data;
    const issues = checked.faults.map(({ path, message }) => ({ path: path.join('.') || 'body', message }));
    throw invalidRequest(issues, checked.count);
}
/** Parses query parameters. A repeated parameter is reported by its name, without indexes. */
function parseQuery(schema, value) {
    const checked = checkValue(schema, value);
    if ('data' in checked)
        return checked.data;
    const issues = checked.faults.map(({ path, message }) => ({
        path: path.filter(part => typeof part !== 'number').join('.'),
        message,
    }));
    throw invalidRequest(issues, checked.count);
}
async function readBytes(request, limitBytes) {
    const mostBytes = limitBytes + discardedBytes;
    const tooLarge = (headers = {}) => new RequestError('payload_too_large', `the body must be at most ${limitBytes} bytes`, { headers });
    const length = Number(request.headers.get('Content-Length') ?? Number.NaN);
    if (length > mostBytes)
        throw tooLarge({ Connection: 'close' });
    const chunks = [];
    let size = 0;
    try {
        // The listener reads a body of known length without a stream, which takes a fraction of the time.
        if (length <= Math.min(limitBytes, answers/* smallBytes */.zo))
            return await (0,answers/* readBytes */.io)(request, limitBytes);
        for await (const chunk of (0,answers/* readChunks */.zO)(request, mostBytes)) {
            size += chunk.length;
            if (size <= limitBytes)
                chunks.push(chunk);
            else
                chunks.length = 0;
        }
    }
    catch (error) {
        if (error instanceof answers/* BodyTooLongError */.xz)
            throw tooLarge({ Connection: 'close' });
        // The client has left, so this is not an error of the server.
        throw new RequestError('invalid_request', 'the connection closed before the whole body arrived');
    }
    if (size > limitBytes)
        throw tooLarge();
    return Buffer.concat(chunks);
}
function decodeUtf8(bytes) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch {
        throw invalidRequest([{ path: 'body', message: 'must be UTF-8' }]);
    }
}
function request_body_parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        const where = error instanceof Error ? /at position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
        throw invalidRequest([
            { path: 'body', message: `is not valid JSON${where === undefined ? '' : `: error ${where}`}` },
        ]);
    }
}
/**
 * Rejects JSON that is nested too deeply or has too many values before it is parsed. Parsing and validation take time
 * for each value, and a few megabytes hold millions. The parser reports invalid JSON.
 */
function refuseHuge(bytes) {
    const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
    let [levels, values] = [0, 1];
    for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte === quote) {
            at += 1;
            while (at < bytes.length && bytes[at] !== quote)
                at += bytes[at] === backslash ? 2 : 1;
        }
        else if (byte === comma)
            values += 1;
        // [ and {, ] and } differ in the same bit.
        else if ((byte | 0x20) === 0x7b) {
            [levels, values] = [levels + 1, values + 1];
            if (levels > sizes/* sizes */.L.jsonLevels + 1)
                throw invalidRequest([{ path: 'body', message: `must not be nested deeper than ${sizes/* sizes */.L.jsonLevels} levels` }]);
        }
        else if ((byte | 0x20) === 0x7d)
            levels -= 1;
        if (values > sizes/* sizes */.L.jsonValues)
            throw invalidRequest([{ path: 'body', message: `must have at most ${sizes/* sizes */.L.jsonValues} values` }]);
    }
}
/** Finds the name `__proto__`. The validator drops it silently, and assigning it would change an object. */
function findProtoName(value) {
    for (const [name, member] of Object.entries(value)) {
        if (name === '__proto__')
            return [name];
        const rest = typeof member === 'object' && member !== null ? findProtoName(member) : undefined;
        if (rest !== undefined)
            return [name, ...rest];
    }
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/contract/mcp-secrets.js
const mask = '***';
/**
 * Replaces possible secrets of MCP servers with `***`: variables, headers, and the password and query of an address.
 */
function hideMcpSecrets(config) {
    if (config.mcp_servers === undefined)
        return config;
    const servers = Object.entries(config.mcp_servers).map(([name, server]) => [name, redactServer(server)]);
    return { ...config, mcp_servers: Object.fromEntries(servers) };
}
function redactServer(server) {
    const { env, headers, url } = server;
    return {
        ...server,
        ...(env === undefined ? {} : { env: redactValues(env) }),
        ...(headers === undefined ? {} : { headers: redactValues(headers) }),
        ...(url === undefined ? {} : { url: redactAddress(url) }),
    };
}
/** Every view of a run calls this, so it scans the text once. A regular expression would rescan for each start. */
function redactAddress(url) {
    const redactPart = (part) => part
        .split('&')
        .map((piece, index) => redactPair(piece, index === 0 ? piece.indexOf('?') : 0))
        .join('&');
    return redactPassword(url).split('#').map(redactPart).join('#');
}
function redactPassword(url) {
    let start = url.indexOf(':') + 1;
    while (url[start] === '/' || url[start] === '\\')
        start += 1;
    const [authority = ''] = url.slice(start).split(/[/?#]/, 1);
    const [colon, end] = [authority.indexOf(':'), authority.lastIndexOf('@')];
    if (colon === -1 || colon > end)
        return url;
    return `${url.slice(0, start + colon + 1)}${mask}${url.slice(start + end)}`;
}
/** `name=***` for a name that begins at `from`; unchanged if `from` is -1. */
function redactPair(piece, from) {
    const end = from === -1 ? 0 : piece.indexOf('=', from) + 1;
    return end === 0 || end === piece.length ? piece : `${piece.slice(0, end)}${mask}`;
}
function redactValues(values) {
    return Object.fromEntries(Object.keys(values).map(name => [name, mask]));
}

// EXTERNAL MODULE: ./build/js/contract/tables/state.js
var tables_state = __webpack_require__(4414);
;// CONCATENATED MODULE: ./build/js/server/http/runs/run-view.js



/** From the caller's view, all runs of a server are remote. */
const executionLocation = 'REMOTE';
/** Converts a stored run to the wire format. */
function viewRun(run, { sessionLink, environments, harnesses, usage }) {
    const environment = environments.find(({ uid }) => uid === run.config.environment_id);
    return {
        run_id: run.runId,
        task_id: run.runId,
        title: run.title,
        prompt: run.prompt,
        state: run.state,
        ...(run.statusMessage === undefined ? {} : { status_message: viewStatus(run.statusMessage) }),
        created_at: printTime(run.createdAt),
        updated_at: printTime(run.updatedAt),
        started_at: run.startedAt === undefined ? null : printTime(run.startedAt),
        finished_at: run.finishedAt === undefined ? null : printTime(run.finishedAt),
        ...(run.workedMs === undefined || run.finishedAt === undefined ? {} : { run_time: printDuration(run.workedMs) }),
        attempt: run.attempt,
        source: run.source,
        execution_location: executionLocation,
        creator: { type: 'service_account', uid: run.creator.uid, display_name: run.creator.displayName },
        agent_config: viewConfig(run.config, harnesses),
        ...(run.skill === undefined ? {} : { agent_skill: run.skill }),
        ...(run.continuation === undefined ? {} : { session_id: run.continuation.sessionId }),
        session_link: sessionLink,
        conversation_id: run.conversationId,
        ...(run.triggerUrl === undefined ? {} : { trigger_url: run.triggerUrl }),
        ...(run.metadata === undefined ? {} : { metadata: run.metadata }),
        ...run.checkout,
        ...(environment === undefined ? {} : { environment_name: environment.name }),
        ...viewUsage(usage ?? {}),
        ...(run.cancelRequestedAt === undefined ? {} : { cancel_requested_at: printTime(run.cancelRequestedAt) }),
        ...(run.leaseExpiresAt === undefined || (0,tables_state/* isFinal */.dR)(run.state)
            ? {}
            : { lease_expires_at: printTime(run.leaseExpiresAt) }),
        last_seq: run.lastSeq,
        is_run_type_cancellable: true,
        artifacts: run.artifacts.map(viewArtifact),
        ...(run.result === undefined ? {} : { result: run.result }),
    };
}
/** Published clients know only some codes. A code of ours stays in `reason`, because the nearest one would mislead. */
function viewStatus({ error_code: reason, ...status }) {
    if (reason === undefined)
        return status;
    const published = publishedErrorCodes.find(code => code === reason);
    return { ...status, ...(published === undefined ? {} : { error_code: published }), reason };
}
/** Uses the published names, without credits. An endpoint that reports 0 counted nothing, so 0 is left out. */
function viewUsage(usage) {
    const known = Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== 0));
    if (Object.keys(known).length === 0)
        return {};
    const { input_tokens: read, output_tokens: written, cost_usd: cost } = known;
    return {
        request_usage: {
            ...(typeof read === 'number' && typeof written === 'number' ? { total_tokens: read + written } : {}),
            ...(typeof cost === 'number' ? { inference_cost_usd: cost } : {}),
            ...known,
        },
    };
}
/** Clients that validate answers know only a few harness types, so our name has its own member. */
function viewConfig(config, { publishedType }) {
    const name = config.harness?.type;
    return {
        ...hideMcpSecrets(config),
        ...(name === undefined ? {} : { harness: { type: publishedType(name), name } }),
    };
}
function viewArtifact({ type, createdAt, data }) {
    // Each kind's table validated the data when it was stored.
    return { artifact_type: type, created_at: printTime(createdAt), data };
}
function printTime(ms) {
    return new Date(ms).toISOString();
}
/** The ISO 8601 duration of milliseconds: `PT1.5S`. */
function printDuration(ms) {
    return `PT${ms / 1000}S`;
}

;// CONCATENATED MODULE: ./build/js/server/http/agent-routes.js




/** GET /agent */
function handleListAgents({ listSkills, store, stopping }) {
    return async (c) => {
        const query = c.req.query();
        const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
        const { repo, refresh, sort_by, include_malformed_skills } = parseQuery(agentQuerySchema, given);
        const answer = await listSkills({
            repo,
            isFresh: refresh === 'true',
            withMalformed: include_malformed_skills === 'true',
            signal: stopping,
        }).catch((error) => {
            if (!stopping.aborted)
                throw error;
            throw new RequestError('resource_unavailable', 'the server is stopping');
        });
        if ('refused' in answer)
            throw new RequestError(answer.refused, answer.message);
        const agents = await addLastRuns(answer, store);
        return c.json({ agents: sort_by === 'last_run' ? sortByLastRun(agents) : agents });
    };
}
async function addLastRuns({ agents }, store) {
    const ids = agents.flatMap(({ variants }) => variants.map(({ id }) => id));
    const lastRuns = await store.findLastRuns(ids);
    const addTo = (variant) => {
        const lastRun = lastRuns.get(variant.id);
        return { ...variant, last_run_timestamp: lastRun === undefined ? null : printTime(lastRun) };
    };
    return agents.map(({ name, variants }) => ({ name, variants: variants.map(addTo) }));
}
/** Keeps the order of names for equal times. Timestamps of one format sort as text. */
function sortByLastRun(agents) {
    const newestFirst = (a, b) => (a ?? '') < (b ?? '') ? 1 : (a ?? '') > (b ?? '') ? -1 : 0;
    return agents
        .map(({ name, variants }) => ({
        name,
        variants: variants.toSorted((a, b) => newestFirst(a.last_run_timestamp, b.last_run_timestamp)),
    }))
        .toSorted((a, b) => newestFirst(a.variants[0]?.last_run_timestamp, b.variants[0]?.last_run_timestamp));
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./node_modules/uuid/dist-node/validate.js + 1 modules
var validate = __webpack_require__(8520);
;// CONCATENATED MODULE: ./build/js/server/http/artifact-routes.js





/** GET /agent/artifacts/{artifactUid}: its data, and a download address that needs no key and expires. */
function handleReadArtifact(parts) {
    return async (c) => {
        const { uid, artifact } = await findFile(parts, c);
        const { path, expiresAt } = parts.artifactLinks.pathFor(uid);
        const { mime_type: contentType, ...data } = artifact.data;
        return c.json({
            artifact_uid: uid,
            artifact_type: artifact.type,
            created_at: printTime(artifact.createdAt),
            data: {
                ...data,
                content_type: contentType,
                download_url: `${parts.publicUrl()}${path}`,
                expires_at: printTime(expiresAt),
            },
        });
    };
}
/** GET /agent/artifacts/{artifactUid}/download */
function handleDownloadArtifact(parts) {
    return async (c) => {
        const { uid } = await findFile(parts, c);
        return c.redirect(`${parts.publicUrl()}${parts.artifactLinks.pathFor(uid).path}`, 302);
    };
}
/** GET /artifacts/{artifactUid}?token=…: the file. The browser never renders it, because an agent made it. */
function handleArtifactFile(parts) {
    return async (c) => {
        if (!parts.artifactLinks.isValid(c.req.param('artifactUid') ?? '', c.req.query('token')))
            throw new RequestError('not_authorized', 'this link has expired or is incomplete; request the artifact again with a key');
        const { runId, uid, artifact } = await findFile(parts, c);
        return await answerFile(c, parts.artifactFile(runId, uid), artifact);
    };
}
/** Answers with a file that the browser saves. Throws RequestError. */
async function answerFile(c, path, { data }) {
    const { filename, size_bytes: size } = data;
    const file = await (0,border_files/* openPlainFile */.rr)(path);
    if (file === undefined)
        throw new RequestError('resource_not_found', 'the file of this artifact is no longer kept');
    return c.body(external_node_stream_.Readable.toWeb(file.createReadStream()), 200, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(size),
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(String(filename))}`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private, no-store',
    });
}
async function findFile({ store }, c) {
    const uid = c.req.param('artifactUid') ?? '';
    const found = (0,validate/* default */.A)(uid) ? await store.findArtifact(uid.toLowerCase()) : undefined;
    if (found === undefined || found.artifact.type !== 'FILE')
        throw new RequestError('resource_not_found', 'no file has this id');
    return { ...found, uid: uid.toLowerCase() };
}

;// CONCATENATED MODULE: ./build/js/contract/environments.js

const time = schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds');
const environmentQuerySchema = schemas/* object */.Ikc({
    sort_by: schemas/* enum */.k5n(['name', 'last_updated'])
        .default('last_updated')
        .describe('last_updated: newest first, then by name'),
});
const environmentConfigSchema = schemas/* object */.Ikc({
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP().nullable().optional(),
    docker_image: schemas/* string */.YjP().optional().describe('Container image of its runs'),
    github_repos: schemas/* array */.YOg(schemas/* object */.Ikc({ owner: schemas/* string */.YjP(), repo: schemas/* string */.YjP() }))
        .describe('Its repositories on any host, except those without an owner'),
    setup_commands: schemas/* array */.YOg(schemas/* string */.YjP()),
});
const lastTaskSchema = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    title: schemas/* string */.YjP(),
    state: schemas/* string */.YjP(),
    created_at: time,
    updated_at: time,
    started_at: time.nullable(),
});
/** Where a run can work. `config.environment_id` takes the `uid` or the name. */
const environments_environmentSchema = schemas/* object */.Ikc({
    uid: schemas/* string */.YjP(),
    config: environmentConfigSchema,
    last_updated: time.describe("When the server's configuration was last changed"),
    setup_failed: schemas/* boolean */.zMY().describe('Setup failed for the last run that ended'),
    last_task_created: lastTaskSchema.optional(),
    last_task_run_timestamp: time.nullable(),
});
const environmentsAnswerSchema = schemas/* object */.Ikc({ environments: schemas/* array */.YOg(environments_environmentSchema) });

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/iso.js
var iso = __webpack_require__(4377);
;// CONCATENATED MODULE: ./build/js/contract/artifacts.js

/** The kinds of artifacts and their `data`. A newer server may have more. */
const artifactDataSchemas = {
    PLAN: schemas/* object */.Ikc({
        document_uid: schemas/* string */.YjP(),
        artifact_uid: schemas/* string */.YjP().optional(),
        notebook_uid: schemas/* string */.YjP().optional(),
        title: schemas/* string */.YjP().optional(),
        url: schemas/* string */.YjP().optional(),
    }),
    PULL_REQUEST: schemas/* object */.Ikc({ url: schemas/* string */.YjP(), branch: schemas/* string */.YjP() }),
    SCREENSHOT: schemas/* object */.Ikc({ artifact_uid: schemas/* string */.YjP(), mime_type: schemas/* string */.YjP(), description: schemas/* string */.YjP().optional() }),
    FILE: schemas/* object */.Ikc({
        artifact_uid: schemas/* string */.YjP(),
        filename: schemas/* string */.YjP(),
        filepath: schemas/* string */.YjP(),
        mime_type: schemas/* string */.YjP(),
        title: schemas/* string */.YjP().optional(),
        description: schemas/* string */.YjP().optional(),
        size_bytes: schemas/* number */.aig().optional(),
    }),
    EXTERNAL_REFERENCE: schemas/* object */.Ikc({
        reference_type: schemas/* string */.YjP(),
        url: schemas/* string */.YjP(),
        title: schemas/* string */.YjP().optional(),
        metadata: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    }),
};
const artifactTypes = Object.keys(artifactDataSchemas);
const artifactSchema = schemas/* object */.Ikc({
    artifact_type: schemas/* string */.YjP().describe(`One of ${artifactTypes.join(', ')}; newer servers may add more`),
    created_at: schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds'),
    data: schemas/* looseObject */._H3({}).describe('Its members depend on the type'),
});
/** One artifact by its id. A FILE has a `download_url`, which needs no key and expires. */
const artifactAnswerSchema = schemas/* object */.Ikc({
    artifact_uid: schemas/* string */.YjP(),
    artifact_type: schemas/* string */.YjP(),
    created_at: schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds'),
    data: schemas/* looseObject */._H3({
        download_url: schemas/* string */.YjP(),
        expires_at: schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds'),
        content_type: schemas/* string */.YjP(),
        filename: schemas/* string */.YjP(),
        filepath: schemas/* string */.YjP().optional(),
        size_bytes: schemas/* number */.aig().optional(),
    }),
});

;// CONCATENATED MODULE: ./build/js/contract/tables/source.js
/** What may have started a run. A plain HTTP create is API. Programs name their source in `X-Agent-Run-Source`. */
const runSources = [
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
];

;// CONCATENATED MODULE: ./build/js/contract/run.js





const run_time = schemas/* string */.YjP().describe('RFC 3339, UTC, milliseconds');
const executionLocations = ['LOCAL', 'REMOTE'];
const runStateSchema = schemas/* enum */.k5n(tables_state/* runStates */.OU);
const runSourceSchema = schemas/* enum */.k5n(runSources);
const statusMessageSchema = schemas/* object */.Ikc({
    message: schemas/* string */.YjP(),
    error_code: schemas/* string */.YjP()
        .optional()
        .describe('The error code, if every client knows it. Otherwise only `reason` has it'),
    reason: schemas/* string */.YjP().optional().describe("The error code from this server's own table"),
    retryable: schemas/* boolean */.zMY().optional(),
});
const resultSchema = schemas/* object */.Ikc({
    text: schemas/* string */.YjP().describe('The first 64 KiB. /result has everything that was kept'),
    truncated: schemas/* boolean */.zMY().describe('/result has more text than this'),
    left_out_bytes: schemas/* int */.Whr().optional().describe('Bytes dropped from the start of a result larger than 4 MiB'),
    structured: schemas/* unknown */.L5J().optional(),
});
/** One run in responses. Lists omit `result` and `request_usage`. */
const runSchema = schemas/* object */.Ikc({
    run_id: schemas/* string */.YjP(),
    task_id: schemas/* string */.YjP(),
    title: schemas/* string */.YjP(),
    prompt: schemas/* string */.YjP(),
    state: runStateSchema,
    status_message: statusMessageSchema.optional(),
    created_at: run_time,
    updated_at: run_time,
    started_at: run_time.nullable(),
    finished_at: run_time.nullable(),
    run_time: schemas/* string */.YjP().optional().describe('ISO 8601 duration of the work, without the time spent BLOCKED'),
    attempt: schemas/* int */.Whr().describe('How many times a worker has claimed the run'),
    source: runSourceSchema,
    execution_location: schemas/* enum */.k5n(executionLocations),
    creator: schemas/* object */.Ikc({ type: schemas/* string */.YjP(), uid: schemas/* string */.YjP(), display_name: schemas/* string */.YjP().optional() }),
    agent_config: configSchema,
    agent_skill: schemas/* object */.Ikc({ name: schemas/* string */.YjP(), description: schemas/* string */.YjP().optional(), full_path: schemas/* string */.YjP().optional() })
        .optional(),
    session_id: schemas/* string */.YjP().optional().describe("The agent's own id for continuing the conversation, once known"),
    session_link: schemas/* string */.YjP().optional(),
    conversation_id: schemas/* string */.YjP()
        .describe('Send it with a new run to continue the conversation. A new conversation has the id of its first run'),
    trigger_url: schemas/* string */.YjP().optional(),
    metadata: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()).optional(),
    repository: schemas/* string */.YjP().optional().describe('As given when the run was created, like ref and sha'),
    ref: schemas/* string */.YjP().optional(),
    sha: schemas/* string */.YjP().optional(),
    environment_name: schemas/* string */.YjP()
        .optional()
        .describe('Name of the environment agent_config.environment_id; absent once the server no longer has it'),
    request_usage: schemas/* looseObject */._H3({
        total_tokens: schemas/* number */.aig().optional(),
        inference_cost_usd: schemas/* number */.aig().optional().describe('Cost of the model, in US dollars'),
    })
        .optional()
        .describe('Usage of the run so far, from its usage events. Unknown values are absent'),
    cancel_requested_at: run_time.optional(),
    lease_expires_at: run_time.optional(),
    last_seq: schemas/* int */.Whr().describe('Number of the newest event'),
    is_run_type_cancellable: schemas/* boolean */.zMY(),
    artifacts: schemas/* array */.YOg(artifactSchema),
    result: resultSchema.optional(),
});

;// CONCATENATED MODULE: ./build/js/contract/list-query.js




const instant = iso/* datetime */.w$({ offset: true, error: 'must be an RFC 3339 time, such as 2026-01-31T12:00:00Z' });
/** Metadata pairs that one list may ask for. */
const metadataFilterPairs = 5;
/** A longer text takes longer to look for in every run. */
const searchLength = 200;
/** What `environment_id` says for runs without an environment. */
const emptyEnvironment = 'empty-environment';
const runOrders = ['updated_at', 'created_at', 'title', 'agent'];
const metadataFilter = schemas/* record */.g1P(schemas/* string */.YjP().regex(/^[A-Za-z0-9._-]+$/, 'may contain only letters, digits, ".", "_" and "-"'), schemas/* string */.YjP())
    .refine(pairs => Object.keys(pairs).length <= metadataFilterPairs, `may filter by at most ${metadataFilterPairs} pairs`);
const noRunHasOne = 'Runs of this server never have one, so the list is empty';
/**
 * The filters of a list; a run has to pass all of them. Bounds: `_after` inclusive, `_before` exclusive. `name` and
 * `config_name` mean the same, as do `skill_spec` and `skill`; both with different values is an error. Parameters not
 * known here are ignored.
 */
const listQuerySchema = schemas/* object */.Ikc({
    state: schemas/* array */.YOg(runStateSchema).optional().describe('State; if repeated, any of them'),
    name: schemas/* string */.YjP().optional().describe('Name in the config'),
    config_name: schemas/* string */.YjP().optional().describe('Same as `name`'),
    model_id: schemas/* string */.YjP().optional().describe('Model in the config'),
    creator: schemas/* string */.YjP().optional().describe('Uid of the creator of the run'),
    executor: schemas/* string */.YjP().optional().describe('Uid of the user the run acts for; on this server, its creator'),
    source: runSourceSchema.optional().describe('What started the run, such as `API`, `CLI` or `GITHUB_ACTION`'),
    execution_location: schemas/* enum */.k5n(executionLocations)
        .optional()
        .describe('`LOCAL` or `REMOTE`; all runs of this server are `REMOTE`'),
    skill_spec: schemas/* string */.YjP().optional().describe('Skill, as the run names it'),
    skill: schemas/* string */.YjP().optional().describe('Same as `skill_spec`'),
    environment_id: schemas/* string */.YjP().optional().describe(`Environment; \`${emptyEnvironment}\` for runs without one`),
    q: schemas/* string */.YjP()
        .max(searchLength, `may have at most ${searchLength} characters`)
        .refine(text => !text.includes('\0'), 'must not contain NUL')
        .optional()
        .describe(`Text in title, prompt or skill_spec, in any case of ASCII letters, at most ${searchLength} characters`),
    metadata: metadataFilter
        .optional()
        .describe(`\`metadata[key]=value\`, at most ${metadataFilterPairs} times; matches all of them`),
    created_after: instant.optional().describe('RFC 3339 time; runs created then or later'),
    created_before: instant.optional().describe('RFC 3339 time; runs created before'),
    updated_after: instant.optional().describe('RFC 3339 time; runs changed then or later'),
    artifact_type: schemas/* enum */.k5n(artifactTypes)
        .optional()
        .describe(`Runs with an artifact of this type: ${artifactTypes.map(type => `\`${type}\``).join(', ')}`),
    schedule_id: schemas/* string */.YjP().optional().describe(noRunHasOne),
    ancestor_run_id: schemas/* string */.YjP().optional().describe(noRunHasOne),
    automation_id: schemas/* string */.YjP().optional().describe(noRunHasOne),
    factory_uid: schemas/* string */.YjP().optional().describe(noRunHasOne),
    limit: coerce/* number */.ai()
        .int()
        .min(1)
        .max(sizes/* sizes */.L.listLimit)
        .default(sizes/* sizes */.L.listLimitDefault)
        .describe(`Most runs on a page, 1 to ${sizes/* sizes */.L.listLimit}`),
    cursor: schemas/* string */.YjP().optional().describe('From page_info.next_cursor; valid only with the same sort order'),
    sort_by: schemas/* enum */.k5n(runOrders)
        .default('updated_at')
        .describe('`updated_at`, `created_at`, `title` or `agent` (the skill; runs without one are always last). `title` and `agent` ignore case'),
    sort_order: schemas/* enum */.k5n(['asc', 'desc']).default('desc').describe('`asc` or `desc`'),
});

;// CONCATENATED MODULE: ./build/js/server/store/store.js
/** The cursor was not made by this store, or was made for another order. */
class BadCursorError extends Error {
    name = 'BadCursorError';
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/list-runs.js






/** GET /agent/runs */
function handleListRuns(parts) {
    const { store, links, publicUrl, environments, harnesses, stopping } = parts;
    return async (c) => {
        const read = readFilter(new URL(c.req.url).searchParams);
        const environment = findEnvironment(environments, read?.environment_id ?? '');
        const filter = read && environment ? { ...read, environment_id: environment.uid } : read;
        const page = filter === undefined
            ? { runs: [], nextCursor: undefined }
            : await readPage(store, filter, AbortSignal.any([stopping, c.req.raw.signal]));
        const answer = {
            runs: page.runs.map(run => viewRun(run, { sessionLink: `${publicUrl()}${links.pathFor(run.runId)}`, environments, harnesses })),
            page_info: page.nextCursor === undefined
                ? { has_next_page: false }
                : { has_next_page: true, next_cursor: page.nextCursor },
        };
        return c.json(answer);
    };
}
/** Reads a page until the signal aborts: the client is gone, or the server closes. */
async function readPage(store, filter, signal) {
    try {
        return await store.listRuns(filter, signal);
    }
    catch (error) {
        if (error instanceof BadCursorError)
            throw invalidRequest([{ path: 'cursor', message: error.message }]);
        if (signal.aborted)
            throw new RequestError('resource_unavailable', 'the server is stopping; try again later');
        throw error;
    }
}
/** Parses the query for the store; undefined if no run of this server can match. */
function readFilter(params) {
    const query = parseQuery(listQuerySchema, gatherParams(params));
    refuseContradiction(query, 'config_name', 'name');
    refuseContradiction(query, 'skill', 'skill_spec');
    return isImpossible(query)
        ? undefined
        : {
            ...query,
            name: query.name ?? query.config_name,
            skill_spec: query.skill_spec ?? query.skill,
            creator: query.creator ?? query.executor,
            createdAfter: readTime(query.created_after),
            createdBefore: readTime(query.created_before),
            updatedAfter: readTime(query.updated_after),
        };
}
/** True if no run of this server can match. Ignoring such a filter would list runs that do not match it. */
function isImpossible(query) {
    const never = [query.schedule_id, query.ancestor_run_id, query.automation_id, query.factory_uid];
    // A run always acts for its creator on this server.
    const { creator, executor = creator } = query;
    return (never.some(value => value !== undefined) ||
        (query.execution_location ?? executionLocation) !== executionLocation ||
        (creator !== undefined && executor !== creator));
}
function refuseContradiction(query, alias, name) {
    if (query[alias] !== undefined && query[name] !== undefined && query[alias] !== query[name])
        throw invalidRequest([{ path: alias, message: `means the same as ${name}; send only one of the two` }]);
}
/** Collects the parameters in one object. An empty value is dropped, except for metadata, which may be empty. */
function gatherParams(params) {
    const plain = new Map();
    const metadata = new Map();
    for (const [name, value] of params) {
        const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
        if (key !== undefined)
            setOnce(metadata, { key, value, path: `metadata.${key}` });
        // Ignoring it would list all runs.
        else if (name === 'metadata')
            throw invalidRequest([{ path: name, message: 'needs a key: metadata[key]=value' }]);
        else if (value !== '' && isSingle(name))
            setOnce(plain, { key: name, value, path: name });
    }
    if (metadata.has('__proto__'))
        throw invalidRequest([{ path: 'metadata.__proto__', message: 'must not be used as a name' }]);
    const state = params.getAll('state').filter(value => value !== '');
    return {
        ...Object.fromEntries(plain),
        ...(metadata.size > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
        ...(state.length > 0 ? { state } : {}),
    };
}
function isSingle(name) {
    return name !== 'state' && name !== 'metadata' && Object.hasOwn(listQuerySchema.shape, name);
}
/** Otherwise the last of several values would win silently. */
function setOnce(values, { key, value, path }) {
    if ((values.get(key) ?? value) !== value)
        throw invalidRequest([{ path, message: 'must not be repeated with different values' }]);
    values.set(key, value);
}
function readTime(text) {
    return text === undefined ? undefined : Date.parse(text);
}

;// CONCATENATED MODULE: ./build/js/server/http/environment-routes.js





/** GET /agent/environments */
function handleListEnvironments({ environments, store, stopping }) {
    return async (c) => {
        const { sort_by } = parseQuery(environmentQuerySchema, { sort_by: c.req.query('sort_by') || undefined });
        const sorted = environments.toSorted((a, b) => (sort_by === 'name' ? 0 : b.updatedAt - a.updatedAt) || compare(a.name, b.name));
        const shown = [];
        const signal = AbortSignal.any([stopping, c.req.raw.signal]);
        for (const environment of sorted)
            shown.push(await viewEnvironment(environment, filter => findLast(store, filter, signal)));
        return c.json({ environments: shown });
    };
}
async function viewEnvironment({ uid, name, description, repositories, setup, image, updatedAt }, findLast) {
    const last = await findLast({ environment_id: uid });
    const ended = await findLast({ environment_id: uid, state: tables_state/* runStates */.OU.filter(tables_state/* isFinal */.dR) });
    return {
        uid,
        config: {
            name,
            ...(description === undefined ? {} : { description }),
            ...(image === undefined ? {} : { docker_image: image }),
            github_repos: repositories.flatMap(repository => {
                const [owner = '', repo] = repository.name.split('/');
                return repo === undefined ? [] : [{ owner, repo }];
            }),
            setup_commands: [...setup],
        },
        last_updated: printTime(updatedAt),
        setup_failed: ended?.statusMessage?.error_code === 'environment_setup_failed',
        ...(last === undefined ? {} : { last_task_created: viewTask(last) }),
        last_task_run_timestamp: last === undefined ? null : printTime(last.startedAt ?? last.createdAt),
    };
}
async function findLast(store, filter, signal) {
    const page = await readPage(store, { ...filter, limit: 1, sort_by: 'created_at', sort_order: 'desc' }, signal);
    return page.runs[0];
}
function viewTask(run) {
    return {
        id: run.runId,
        title: run.title,
        state: run.state,
        created_at: printTime(run.createdAt),
        updated_at: printTime(run.updatedAt),
        started_at: run.startedAt === undefined ? null : printTime(run.startedAt),
    };
}
function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

;// CONCATENATED MODULE: ./build/js/server/http/event-page.js


/** Reads a page of events, cut early if it is large. Read `run` before: `done` is true only if nothing can follow. */
async function readEventPage(store, { run, after, limit, maxBytes = sizes/* sizes */.L.pageBytes }) {
    const hasMore = run.lastSeq > after;
    const events = hasMore ? cutPage(await store.readEvents(run.runId, after, limit), maxBytes) : [];
    const nextAfter = events.at(-1)?.seq ?? after;
    return { events, next_after: nextAfter, done: (0,tables_state/* isFinal */.dR)(run.state) && nextAfter >= run.lastSeq };
}
function cutPage(events, maxBytes) {
    let bytes = 0;
    for (const [index, event] of events.entries()) {
        bytes += (0,sizes/* utf8Bytes */.d)(JSON.stringify(event.data));
        if (bytes > maxBytes)
            return events.slice(0, Math.max(1, index));
    }
    return events;
}

;// CONCATENATED MODULE: ./build/js/server/http/event-stream.js

/** Sent first. Some proxies and readers hold back the head until the body begins. */
const opening = ': the events of a run\n\n';
/** Limits the memory of a slow reader: one piece waits for each. */
const piece = { limit: 100, maxBytes: 256 * 1024 };
/**
 * Streams a run's events as server-sent events (WHATWG HTML, 9.2). `id` is the number, `data` the event as in a JSON
 * page. The stream ends after the last event of an ended run. A comment in quiet periods keeps proxies from closing
 * the connection. Each piece is made after the reader has taken the one before.
 */
function streamEvents({ store, waiters, stopping }, { run: found, after, callerUid, signal, commentSeconds = 15 }) {
    const encoder = new TextEncoder();
    const cancelled = new AbortController();
    const gone = AbortSignal.any([signal, cancelled.signal]);
    let isOpen = false;
    let lastSent = after;
    // The latest state. The lease is renewed by its remaining time, and not at all after its release.
    let run = found;
    return new ReadableStream({
        async pull(controller) {
            if (!isOpen) {
                isOpen = true;
                controller.enqueue(encoder.encode(opening));
                return;
            }
            run = await waiters.wait({
                run,
                callerUid,
                waitMs: commentSeconds * 1000,
                signal: gone,
                isReady: seen => seen.lastSeq > lastSent || seen.finishedAt !== undefined,
            });
            const page = await readEventPage(store, { run, after: lastSent, ...piece });
            lastSent = page.next_after;
            const text = page.events.map(event => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('');
            if (cancelled.signal.aborted)
                return;
            if (text !== '' || !page.done)
                controller.enqueue(encoder.encode(text === '' ? ': nothing new\n\n' : text));
            if (page.done || gone.aborted || stopping.aborted)
                controller.close();
        },
        cancel() {
            cancelled.abort();
        },
    }, { highWaterMark: 0 });
}

;// CONCATENATED MODULE: ./build/js/server/http/media-preference.js
const media_preference_json = 'application/json';
const stream = 'text/event-stream';
/**
 * True if an `Accept` header (RFC 9110, 12.5.1) prefers server-sent events to JSON. The higher weight wins. For equal
 * weights, a named type beats a range, and the first of two named types wins. A header that accepts neither gets
 * JSON, which most callers can read.
 */
function prefersStream(accept) {
    const ranges = readRanges(accept ?? '*/*');
    const wanted = { json: weigh(media_preference_json, ranges), stream: weigh(stream, ranges) };
    if (wanted.stream === 0)
        return false;
    if (wanted.stream !== wanted.json)
        return wanted.stream > wanted.json;
    return ranges.find(({ type }) => type === stream || type === media_preference_json)?.type === stream;
}
/** The weight of the most specific matching range; 0 if none matches. */
function weigh(type, ranges) {
    const wider = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
    for (const name of wider) {
        const range = ranges.find(each => each.type === name);
        if (range !== undefined)
            return range.weight;
    }
    return 0;
}
function readRanges(accept) {
    return accept.split(',').map(text => {
        const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
        const weight = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
        return { type, weight: weight !== undefined && /^[01](\.\d*)?$/.test(weight) ? Math.min(Number(weight), 1) : 1 };
    });
}

;// CONCATENATED MODULE: ./build/js/contract/create.js





const metadataKey = schemas/* string */.YjP()
    .regex(/^[A-Za-z0-9._-]+$/, 'may contain only letters, digits, ".", "_" and "-"')
    .max(sizes/* sizes */.L.metadataKeyBytes);
const metadataValue = boundedText(sizes/* sizes */.L.metadataValueBytes);
const metadataSchema = schemas/* record */.g1P(metadataKey, metadataValue)
    .refine(pairs => Object.keys(pairs).length <= sizes/* sizes */.L.metadataPairs, `has more than ${sizes/* sizes */.L.metadataPairs} pairs`);
const isUsed = "Used if the run's environment includes the repository; always stored with the run";
/** What to check out, if the environment includes the repository. */
const checkout = {
    repository: schemas/* string */.YjP()
        .regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/, 'must be owner/name')
        .optional()
        .describe(`The repository to check out, as owner/name. ${isUsed}`),
    // Git would read a ref with a leading dash as an option.
    ref: schemas/* string */.YjP()
        .regex(/^(?!-)\P{Cc}{1,255}$/u, 'must be a Git ref: 1 to 255 characters, no control character, no leading "-"')
        .optional()
        .describe(`The branch, tag or full ref to check out. ${isUsed}`),
    sha: schemas/* string */.YjP()
        .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, 'must be a commit: 40 or 64 hexadecimal digits')
        .optional()
        .describe(`The commit to check out. ${isUsed}`),
};
const runMode = openWord(['normal', 'plan', 'orchestrate']);
const base64 = schemas/* string */.YjP().describe('The file, in base64');
const attachmentSchema = schemas/* object */.Ikc({ file_name: schemas/* string */.YjP(), mime_type: schemas/* string */.YjP(), data: base64 });
const imageSchema = schemas/* object */.Ikc({ mime_type: schemas/* string */.YjP(), data: base64 });
/**
 * The body that starts a run. It needs a prompt with visible text, a skill (`skill`, `config.skill_spec`,
 * `config.skills`), or a conversation to continue. Unknown members are ignored because newer clients send more.
 */
const createRunSchema = schemas/* object */.Ikc({
    prompt: boundedText(sizes/* sizes */.L.promptBytes).optional().describe('The task'),
    title: boundedLabel(sizes/* sizes */.L.titleCodePoints)
        .optional()
        .describe("Default: the first line of the prompt, or the skill's name"),
    skill: skillSpecText.optional().describe('Takes precedence over config.skill_spec'),
    config: configSchema
        .refine(config => (0,sizes/* utf8Bytes */.d)(JSON.stringify(config)) <= sizes/* sizes */.L.configBytes, `is longer than ${sizes/* sizes */.L.configBytes} bytes as JSON`)
        .optional(),
    lease_seconds: schemas/* number */.aig()
        .positive()
        .max(sizes/* sizes */.L.leaseSecondsMax)
        .optional()
        .describe('Cancel the run if nobody renews its lease for this many seconds'),
    trigger_url: schemas/* string */.YjP()
        .max(sizes/* sizes */.L.triggerUrlCharacters)
        .optional()
        .describe('Link to what started the run: a job, a ticket, a thread'),
    metadata: metadataSchema.optional(),
    ...checkout,
    mode: runMode.optional(),
    team: schemas/* boolean */.zMY().optional(),
    interactive: schemas/* boolean */.zMY()
        .optional()
        .describe('Let the agent ask a person. A question makes the run BLOCKED until a follow-up arrives'),
    attachments: schemas/* array */.YOg(attachmentSchema).max(sizes/* sizes */.L.attachments).optional(),
    images: schemas/* array */.YOg(imageSchema).max(sizes/* sizes */.L.attachments).optional().describe('Older form of attachments'),
    conversation_id: schemas/* string */.YjP()
        .optional()
        .describe('Continue the conversation of an earlier run, in its workspace. Needs no prompt. The id of any of its runs works too'),
    parent_run_id: schemas/* string */.YjP().optional(),
    agent_identity_uid: schemas/* string */.YjP().optional(),
    on_behalf_of: schemas/* string */.YjP().optional(),
})
    .superRefine((body, context) => {
    const config = body.config ?? {};
    const hasTask = (body.prompt ?? '').trim() !== '' || body.conversation_id !== undefined;
    if (!hasTask && (0,skill_spec/* skillOf */.zk)(body) === undefined)
        context.addIssue({
            code: 'custom',
            path: ['prompt'],
            message: 'is missing or empty; give a prompt, or a skill in skill, config.skill_spec or config.skills',
        });
    const { model_id: model, harness } = config;
    if (model !== undefined && harness?.model_id !== undefined && harness.model_id !== model)
        context.addIssue({
            code: 'custom',
            path: ['config', 'harness', 'model_id'],
            message: 'differs from config.model_id, which means the same; give only one of the two',
        });
    if (config.skill_spec !== undefined && config.skills !== undefined)
        context.addIssue({
            code: 'custom',
            path: ['config', 'skills'],
            message: 'cannot be combined with config.skill_spec; give only one of the two',
        });
});
const createRunAnswerSchema = schemas/* object */.Ikc({
    run_id: schemas/* string */.YjP(),
    task_id: schemas/* string */.YjP().describe('Same as run_id, for older clients'),
    state: runStateSchema,
    at_capacity: schemas/* boolean */.zMY().optional().describe('Accepted, but waiting for a free slot'),
    session_link: schemas/* string */.YjP().optional().describe("URL of the run's page"),
    warnings: schemas/* array */.YOg(schemas/* string */.YjP())
        .readonly()
        .optional()
        .describe('Warnings about ignored members that look like settings'),
});
const leaseSchema = schemas/* object */.Ikc({
    lease_seconds: schemas/* number */.aig().positive().max(sizes/* sizes */.L.leaseSecondsMax),
});
const leaseAnswerSchema = schemas/* object */.Ikc({ lease_expires_at: schemas/* string */.YjP() });
const leaseReleasedSchema = schemas/* object */.Ikc({});
const cancelReasonCodePoints = 500;
const cancelSchema = schemas/* object */.Ikc({
    reason: boundedLabel(cancelReasonCodePoints)
        .optional()
        .describe("Shown in the run's message on one line, after the name of the key that canceled it"),
});
const followupSchema = schemas/* object */.Ikc({
    message: boundedText(sizes/* sizes */.L.promptBytes).refine(text => text.trim() !== '', 'must not be empty'),
    mode: runMode.optional(),
});
const followupAnswerSchema = schemas/* object */.Ikc({});

;// CONCATENATED MODULE: ./build/js/server/http/key-ring.js


/** The caller with the environment's key. */
const environmentUid = 'env';
async function openKeyRing(store, environmentKey) {
    const keys = [...(await store.listKeys())];
    const hasFirstKey = keys.length > 0;
    if (environmentKey !== undefined)
        keys.push({ keyId: environmentUid, name: 'environment', hash: hashKey(environmentKey) });
    const local = makeKey('local command');
    return {
        hasFirstKey,
        localKey: local.key,
        findCaller: authorization => findCaller([...keys, local.kept], authorization),
        async makeFirstKey() {
            if (keys.length > 0)
                return undefined;
            const { key, kept } = makeKey('first key');
            await store.addKey(kept);
            keys.push(kept);
            return key;
        },
    };
}
function findCaller(keys, authorization) {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined)
        return undefined;
    const given = Buffer.from(hashKey(key));
    // Compares all keys, each in constant time, so that timing reveals nothing.
    const matching = keys.filter(kept => (0,external_node_crypto_.timingSafeEqual)(Buffer.from(kept.hash), given));
    return matching[0] && { uid: matching[0].keyId, displayName: matching[0].name };
}
function makeKey(name) {
    const key = `ar-${(0,external_node_crypto_.randomBytes)(32).toString('base64url')}`;
    return { key, kept: { keyId: (0,v7/* default */.A)(), name, hash: hashKey(key) } };
}
/** A key has 256 random bits, so a plain hash is as good as a slow one. */
function hashKey(key) {
    return (0,external_node_crypto_.hash)('sha256', key);
}

// EXTERNAL MODULE: ./build/js/base/wording/prompt-title.js
var prompt_title = __webpack_require__(5184);
;// CONCATENATED MODULE: ./build/js/server/http/runs/resolve-config.js




/** Time for some of the pending requests to finish. */
const retrySeconds = 5;
/** Members of the contract that this server does not support. Ignoring them would start a different run. */
const notHonoured = [
    { path: 'mode', isAsked: body => body.mode !== undefined && body.mode !== 'normal' },
    { path: 'attachments', isAsked: body => (body.attachments ?? []).length > 0 },
    { path: 'images', isAsked: body => (body.images ?? []).length > 0 },
    { path: 'parent_run_id', isAsked: body => body.parent_run_id !== undefined },
    { path: 'agent_identity_uid', isAsked: body => body.agent_identity_uid !== undefined },
    { path: 'on_behalf_of', isAsked: body => body.on_behalf_of !== undefined },
    { path: 'config.computer_use_enabled', isAsked: body => body.config?.computer_use_enabled === true },
    {
        path: 'config.worker_host',
        accepted: 'warp',
        isAsked: body => (body.config?.worker_host ?? 'warp') !== 'warp',
    },
    { path: 'config.harness_auth_secrets', isAsked: body => body.config?.harness_auth_secrets !== undefined },
    { path: 'config.memory_stores', isAsked: body => (body.config?.memory_stores ?? []).length > 0 },
    { path: 'config.inference_providers', isAsked: body => body.config?.inference_providers !== undefined },
    {
        // Anyone with the run's link can view it, and every run has a link.
        path: 'config.session_sharing.public_access',
        accepted: 'VIEWER',
        isAsked: body => (body.config?.session_sharing?.public_access ?? 'VIEWER') !== 'VIEWER',
    },
    { path: 'config.credential_strategy', isAsked: body => (body.config?.credential_strategy ?? null) !== null },
    { path: 'config.computer_use_model_id', isAsked: body => body.config?.computer_use_model_id !== undefined },
    { path: 'config.harness.auth_secret_name', isAsked: body => body.config?.harness?.auth_secret_name !== undefined },
    { path: 'config.harness.reasoning_level', isAsked: body => body.config?.harness?.reasoning_level !== undefined },
    { path: 'config.runner_id', isAsked: body => body.config?.runner_id !== undefined },
];
/**
 * Resolves the configuration of a run: one skill, a name, a harness of this server, its environment's uid. Throws
 * RequestError: 422 for unsupported values, 404 for an unknown skill or environment, 503 with too many requests at
 * once. The signal aborts when the caller has left.
 */
async function resolveConfig(body, { harnesses, environments, refuseSkill, completeConfig, limits, signal, }) {
    const asked = notHonoured
        .filter(({ isAsked }) => isAsked(body))
        .map(({ path, accepted }) => (accepted === undefined ? path : `${path} (only ${accepted} is accepted)`));
    if (asked.length > 0)
        throw new RequestError('operation_not_supported', `this server does not support ${asked.join(', ')}; remove it`);
    const { skills: _skills, skill_spec: _skill, environment_id, harness, ...given } = body.config ?? {};
    const environment = environment_id === undefined ? undefined : chooseEnvironment(environment_id, environments);
    const checkoutFault = environment && refuseCheckout(environment, body);
    if (checkoutFault !== undefined)
        throw new RequestError('operation_not_supported', checkoutFault);
    const specs = (0,skill_spec/* skillsOf */.sg)(body).map(skill_spec/* parseSkillSpec */.el);
    for (const asked of specs) {
        // The environment's repository is not cloned yet, so its skills are unknown.
        if (environment !== undefined && bringsSkill(environment, asked))
            continue;
        const refusal = await refuseSkill(asked);
        if (refusal !== undefined)
            throw new RequestError('resource_not_found', refusal);
    }
    const harnessName = chooseHarness(harness, harnesses);
    const canResume = harnesses.canResume(harnessName);
    const keptMax = canResume ? limits.keep_conversation_minutes : 0;
    if ((given.idle_timeout_minutes ?? 0) > keptMax)
        throw new RequestError('operation_not_supported', canResume && keptMax > 0
            ? `config.idle_timeout_minutes: must be at most ${keptMax} on this server (limits.keep_conversation_minutes), not ${given.idle_timeout_minutes}`
            : `config.idle_timeout_minutes: ${canResume ? 'this server does not keep conversations' : `the harness ${harnessName} cannot continue a conversation`}; remove it`);
    const [spec] = specs;
    const skillLabel = spec && (0,skill_spec/* skillName */.F)(spec);
    const name = given.name ?? skillLabel;
    const completed = await completeConfig({
        ...given,
        ...(name === undefined ? {} : { name }),
        ...(environment === undefined ? {} : { environment_id: environment.uid }),
        ...(spec === undefined ? {} : { skill_spec: spec.text }),
        ...(specs.length > 1 ? { skills: specs.map(({ text }) => text) } : {}),
        harness: { type: harnessName },
    }, signal);
    if ('refused' in completed) {
        const headers = completed.refused === 'resource_unavailable' ? { 'Retry-After': String(retrySeconds) } : {};
        throw new RequestError(completed.refused, completed.message, { headers });
    }
    if (body.interactive === true && !harnesses.canResume(harnessName))
        throw new RequestError('operation_not_supported', `interactive: the harness ${harnessName} has no agent that can continue after an answer; remove it, or choose a harness with an agent`);
    if (body.interactive === true && limits.keep_conversation_minutes === 0)
        throw new RequestError('operation_not_supported', 'interactive: this server does not keep conversations, so an answer could not continue one; remove it, or set limits.keep_conversation_minutes on the server above 0');
    return { config: completed.config, skillLabel };
}
/** Moves the model to its one place in the body. */
function settleModel(body) {
    const { model_id: model, ...rest } = body.config?.harness ?? {};
    if (model === undefined)
        return body;
    // An empty object would name the default harness.
    const harness = Object.keys(rest).length === 0 ? undefined : rest;
    return { ...body, config: { ...body.config, model_id: model, harness } };
}
function chooseEnvironment(asked, environments) {
    const environment = findEnvironment(environments, asked);
    if (environment !== undefined)
        return environment;
    const known = environments.length === 0 ? 'it has no environments' : `it has ${environments.map(({ name }) => name).join(', ')}`;
    throw new RequestError('resource_not_found', `config.environment_id: this server has no environment ${JSON.stringify(asked)}; ${known}`);
}
function bringsSkill(environment, { owner, repo }) {
    return findRepository(environment, `${owner}/${repo}`) !== undefined;
}
/**
 * Returns the harness name of a request. It may be in `name`, in `type`, or follow from a published type if the
 * program has only one harness. `oz` means the default. Throws RequestError 422.
 */
function chooseHarness(asked, { names, default: usual, publishedType }) {
    const refuse = (path, fault) => {
        throw new RequestError('operation_not_supported', `config.harness.${path}: ${fault}; it has ${names.join(', ')}`);
    };
    if (usual === undefined)
        throw new RequestError('operation_not_supported', 'this server has no harness, so it cannot run anything; add one under `harnesses` in its configuration');
    const { type, name } = asked ?? {};
    if (name !== undefined) {
        if (!names.includes(name))
            refuse('name', `this server has no harness ${JSON.stringify(name)}`);
        if (type !== undefined && type !== name && type !== publishedType(name))
            refuse('name', `the harness ${name} does not have the type ${JSON.stringify(type)}; remove one of the two`);
        return name;
    }
    if (type === undefined || type === 'oz')
        return usual;
    if (names.includes(type))
        return type;
    const [only, ...others] = names.filter(known => publishedType(known) === type);
    if (others.length > 0)
        refuse('type', `this server has several harnesses for ${type}; choose one with config.harness.name`);
    return only ?? refuse('type', `this server has no harness ${JSON.stringify(type)}`);
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/conversation.js
/** Checks whether a new run can continue a conversation, and collects what it inherits. */







/** Undefined if the run begins a conversation. Throws RequestError if the conversation cannot continue. */
async function findConversation({ conversation_id: id }, { store, limits, isConversationKept }) {
    if (id === undefined)
        return undefined;
    const run = (0,validate/* default */.A)(id) ? await findNewest(store, id.toLowerCase()) : undefined;
    if (run === undefined)
        throw new RequestError('resource_not_found', `conversation_id: this server has no conversation ${JSON.stringify(id.slice(0, 80))}; copy the id from a run of this server`);
    if (!(0,tables_state/* isFinal */.dR)(run.state))
        throw refuseBusy(run);
    const { continuation, runId } = run;
    if (continuation === undefined)
        throw new RequestError('operation_not_supported', `conversation_id: the run ${runId} left no session to continue, because it ended before its agent started or did not use an agent; start a new run without conversation_id`);
    if (!(await isConversationKept(run)))
        throw new RequestError('resource_not_found', `conversation_id: the conversation has expired; it was kept for ${keptMinutes(run.config, limits)} minutes after its last run (limits.keep_conversation_minutes, or config.idle_timeout_minutes of the run); start a new run without conversation_id`);
    return { run, continuation };
}
/** A conversation has the id of its first run. The id of a later run is accepted too. */
async function findNewest(store, id) {
    const newest = await store.findNewest(id);
    if (newest !== undefined)
        return newest;
    const later = await store.readRun(id);
    return later && (await store.findNewest(later.conversationId));
}
/** Two runs of a conversation would share one folder. */
function refuseBusy({ runId, state }) {
    if (state !== 'BLOCKED')
        return new RequestError('conflict', `conversation_id: the run ${runId} of this conversation has not ended (${state}); wait for it, or cancel it`);
    return new RequestError('operation_not_supported', `conversation_id: the run ${runId} of this conversation is waiting for an answer (BLOCKED); answer it with npx agent-run followup ${runId} MESSAGE (POST /agent/runs/${runId}/followups), or cancel the run`);
}
/**
 * Fills in omitted members of `config` from the conversation, except the form of the answer. Throws RequestError for
 * values that cannot change within a conversation.
 */
function continueConversation(body, { config: { output_schema: _own, ...earlier }, checkout }, { harnesses, environments, limits }) {
    const { config: given = {} } = body;
    const harness = earlier.harness?.type ?? 'oz';
    if (!harnesses.canResume(harness))
        throw new RequestError('operation_not_supported', `conversation_id: the harness ${harness} cannot continue conversations on this server; start a new run without conversation_id`);
    if (given.harness !== undefined && chooseHarness(given.harness, harnesses) !== harness)
        refuseChange('config.harness', harness);
    if (given.environment_id !== undefined &&
        chooseEnvironment(given.environment_id, environments).uid !== earlier.environment_id)
        refuseChange('config.environment_id', nameEnvironment(earlier.environment_id, environments));
    for (const name of ['repository', 'ref', 'sha'])
        if (body[name] !== undefined && body[name] !== checkout?.[name])
            refuseChange(name, checkout?.[name] ?? `no ${name}`);
    // The server's limit may be lower by now.
    if (earlier.idle_timeout_minutes !== undefined)
        earlier.idle_timeout_minutes = keptMinutes(earlier, limits);
    const { skill_spec: _spec, skills: _skills, ...rest } = earlier;
    return {
        ...body,
        ...checkout,
        config: { ...((0,skill_spec/* skillOf */.zk)(body) === undefined ? earlier : rest), ...given, harness: { type: harness } },
    };
}
/** Uses the uid if the server no longer has the environment. */
function nameEnvironment(uid, environments) {
    if (uid === undefined)
        return 'no environment';
    return findEnvironment(environments, uid)?.name ?? uid;
}
function refuseChange(path, kept) {
    throw new RequestError('operation_not_supported', `${path}: the conversation uses ${kept}, and later runs cannot change that; remove it`);
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/unknown-members.js
/**
 * Members of a create request that this version does not know. Newer clients may send them, so they are ignored. The
 * caller must learn that such a member did not restrict or configure the run.
 */






const warningsMax = 20;
const nameMax = 60;
const show = (name) => JSON.stringify((0,base_text/* ellipsis */.gO)(name, nameMax));
/** `model_id`, `modelId` and `model-id` are one name. */
const fold = (name) => name.toLowerCase().replace(/[_-]/g, '');
/** Folded names that other programs and clients use to limit an agent. */
const restricting = /^(permissionmode|approval(policy|mode)|sandbox(mode)?|readonly|((dis)?allowed|enabled|disabled|excluded?)?tools|max(turns|steps|cost(usd)?|budgetusd)|budgetusd|timeout(minutes|seconds)?)$/;
const bodyNames = Object.keys(createRunSchema.shape);
const configNames = Object.keys(configSchema.shape);
const harnessNames = Object.keys(configSchema.shape.harness.unwrap().shape);
const configMeanings = [
    ['config', 'config'],
    ['agentconfig', 'config'],
    ...configNames.map(name => [fold(name), name === 'harness' ? 'config.harness.name' : `config.${name}`]),
    ['agent', 'config.harness.name'],
    ['model', 'config.model_id'],
    ['environment', 'config.environment_id'],
    ['instructions', 'config.base_prompt'],
    ['systemprompt', 'config.base_prompt'],
    ['jsonschema', 'config.output_schema'],
];
const allMeanings = [...bodyNames.map(name => [fold(name), name]), ...configMeanings];
/** Objects of a create request with known members, for guessing what an unknown name means. */
const places = [
    { path: '', known: new Set(bodyNames), meanings: new Map(allMeanings) },
    { path: 'config.', known: new Set(configNames), meanings: new Map(allMeanings) },
    {
        path: 'config.harness.',
        known: new Set(harnessNames),
        meanings: new Map(harnessNames.map(name => [fold(name), `config.harness.${name}`])),
    },
];
/** Throws RequestError 422 for members that would have restricted the run. */
function refuseRestrictions(body) {
    const asked = listUnknown(body).flatMap(({ path, names }) => names.filter(name => restricting.test(fold(name))).map(name => show(path + name)));
    if (asked.length > 0)
        throw new RequestError('operation_not_supported', `this server cannot restrict a run with ${asked.slice(0, warningsMax).join(', ')}; remove it. Restrict runs in the server's configuration: \`steps\` and \`models\` of a harness, \`limits.run_minutes\`, and containers (\`docker.image\`)`);
}
/** Warnings for ignored members that look like settings, one sentence each. They contain no value of the body. */
function describeIgnored(body, config) {
    // Guesses are slow, and only this many warnings are shown.
    let guesses = warningsMax;
    const sentences = listUnknown(body).flatMap(({ path, names, meanings }) => names.flatMap(name => {
        const meant = findMeaning(name, meanings, guesses > 0);
        if (meant !== undefined)
            guesses -= 1;
        // An unknown top-level member without a near match comes from a newer client.
        if (path === '' && meant === undefined)
            return [];
        const outcome = describeOutcome(meant, config);
        const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
        return [`${show(path + name)} is unknown and was ignored${outcome}.${guess}`];
    }));
    if (typeof body.team === 'boolean')
        sentences.unshift('"team" was ignored: this server has one owner and no teams.');
    if (sentences.length <= warningsMax)
        return sentences;
    const shown = sentences.slice(0, warningsMax - 1);
    return [...shown, `${sentences.length - shown.length} more unknown members were ignored.`];
}
function listUnknown(body) {
    const config = (0,json/* isObject */.Gv)(body.config) ? body.config : {};
    const objects = [body, config, (0,json/* isObject */.Gv)(config.harness) ? config.harness : {}];
    return places.map(({ path, known, meanings }, index) => {
        const object = objects[index] ?? {};
        const isUnknown = (name) => object[name] !== null && !known.has(name);
        return { path, meanings, names: Object.keys(object).filter(isUnknown) };
    });
}
function findMeaning(name, meanings, mayGuess) {
    const folded = fold(name);
    const exact = meanings.get(folded);
    // Short names have many near matches, and long ones none.
    if (exact !== undefined || !mayGuess || folded.length < 5 || folded.length > 40)
        return exact;
    const near = (0,nearest/* nearest */.pA)(folded, meanings.keys()) ?? '';
    return near.length >= 5 && Math.abs(near.length - folded.length) <= 2 ? meanings.get(near) : undefined;
}
function describeOutcome(meant, { harness, model_id, environment_id }) {
    const outcomes = {
        'config.harness.name': ['harness', harness?.type],
        'config.model_id': ['model', model_id],
        'config.environment_id': ['environment', environment_id],
    };
    const [what, value] = outcomes[meant ?? ''] ?? [];
    if (what === undefined)
        return '';
    return `: the run has ${value === undefined ? `no ${what} of its own` : `the ${what} ${(0,base_text/* ellipsis */.gO)(value, nameMax)}`}`;
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/create-run.js













/** POST /agent/runs and /agent/run. */
function createRunHandler(parts) {
    return async (c) => {
        const json = await readJsonBody(c.req.raw, parts.limits.body_bytes);
        const body = settleModel(parseWith(createRunSchema, json));
        const idempotency = readIdempotencyKey(c.req.header(tables_headers/* headerNames */.Qb.idempotencyKey), json);
        // A repeated request gets its run, even if the server's settings have changed.
        const earlier = idempotency && (await parts.store.findCreated(c.get('caller').uid, idempotency));
        if (earlier !== undefined)
            return answerCreated(c, parts, { json, outcome: earlier, isBusy: false });
        refuseRestrictions(json);
        if (parts.isDraining())
            throw new RequestError('resource_unavailable', 'the server is stopping and takes no new runs');
        if (body.lease_seconds !== undefined)
            checkLease(body.lease_seconds, parts.limits.min_lease_seconds);
        const continued = await findConversation(body, parts);
        const { config, skillLabel } = await resolveConfig(continued === undefined ? body : continueConversation(body, continued.run, parts), {
            ...parts,
            signal: c.req.raw.signal,
        });
        const prompt = body.prompt ?? '';
        const run = {
            title: body.title ?? (0,prompt_title/* makeTitle */.X)(prompt, continued?.run.title ?? skillLabel ?? 'untitled'),
            prompt,
            config,
            source: readSource(c.req.header(tables_headers/* headerNames */.Qb.source)),
            triggerUrl: body.trigger_url,
            metadata: body.metadata,
            checkout: continued === undefined ? readCheckout(body) : continued.run.checkout,
            conversation: continued && { id: continued.run.conversationId, continuation: continued.continuation },
            isInteractive: body.interactive,
            creator: c.get('caller'),
            leaseSeconds: body.lease_seconds,
            idempotency,
        };
        const isBusy = parts.isAtCapacity();
        return answerCreated(c, parts, { json, outcome: await parts.store.createRun(run), isBusy });
    };
}
function answerCreated(c, { log, publicUrl, links }, { json, outcome, isBusy }) {
    const locate = (id) => `${publicUrl()}${routes/* apiPrefix */.P8}${(0,routes/* routePath */.dA)('readRun', { runId: id })}`;
    if (outcome.kind === 'key_conflict')
        throw new RequestError('operation_not_supported', `nothing was started: this ${tables_headers/* headerNames */.Qb.idempotencyKey} was used before with a different body, for the run ${outcome.runId}; use a new key for a new run`, { headers: { Location: locate(outcome.runId) } });
    if (outcome.kind === 'conversation_busy')
        throw refuseBusy(outcome.run);
    const { runId, state, creator, source, config } = outcome.run;
    const warnings = describeIgnored(json, config);
    if (outcome.kind === 'replayed')
        c.header(tables_headers/* headerNames */.Qb.idempotentReplayed, 'true');
    else
        log('info', 'run accepted', { run: runId, creator: creator.uid, source });
    if (outcome.kind === 'created' && warnings.length > 0)
        log('warn', 'unknown members of a create request were ignored', { run: runId, warnings: warnings.join(' ') });
    c.header('Location', locate(runId));
    const answer = {
        run_id: runId,
        task_id: runId,
        state,
        ...(state === 'QUEUED' && isBusy ? { at_capacity: true } : {}),
        session_link: `${publicUrl()}${links.pathFor(runId)}`,
        ...(warnings.length > 0 ? { warnings } : {}),
    };
    return c.json(answer);
}
function readCheckout({ repository, ref, sha }) {
    return (repository ?? ref ?? sha) === undefined ? undefined : { repository, ref, sha };
}
/** The minimum lease is a setting of the server. */
function checkLease(seconds, least) {
    if (seconds < least)
        throw invalidRequest([
            { path: 'lease_seconds', message: `must be ${least} to ${sizes/* sizes */.L.leaseSecondsMax} on this server, not ${seconds}` },
        ]);
}
function readIdempotencyKey(key, body) {
    if (key === undefined)
        return undefined;
    if (key.length > sizes/* sizes */.L.idempotencyKeyCharacters || !/^[\x21-\x7e]+$/.test(key))
        throw invalidRequest([
            {
                path: tables_headers/* headerNames */.Qb.idempotencyKey,
                message: `must have 1 to ${sizes/* sizes */.L.idempotencyKeyCharacters} visible ASCII characters`,
            },
        ]);
    return { key, bodyHash: (0,external_node_crypto_.createHash)('sha256').update((0,json/* canonicalJson */.dj)(body)).digest('hex') };
}
/** An unknown source comes from a newer client and counts as API. */
function readSource(header) {
    return runSources.find(source => source === header?.trim().toUpperCase()) ?? 'API';
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/wait-preference.js


/** Seconds of `Prefer: wait=N` (RFC 7240), capped; undefined without it. */
function readWaitSeconds(headers) {
    const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(headers.get(tables_headers/* headerNames */.Qb.prefer) ?? '');
    return match === null ? undefined : Math.min(Number(match[1]), sizes/* sizes */.L.waitSeconds);
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/run-routes.js











/** GET /agent/runs/{runId}: at once, or with If-None-Match and `Prefer: wait=N` when the run's version changes. */
function handleReadRun(parts) {
    const { store, waiters, links, publicUrl, environments, harnesses } = parts;
    const printRun = async (run) => {
        const sessionLink = `${publicUrl()}${links.pathFor(run.runId)}`;
        const usage = await store.readUsage(run.runId);
        return JSON.stringify(viewRun(run, { sessionLink, environments, harnesses, usage }));
    };
    /** All that wait for a run get the same object, so they share its text. */
    const printed = new WeakMap();
    const printOnce = (run) => {
        const text = printed.get(run) ?? printRun(run);
        printed.set(run, text);
        return text;
    };
    return async (c) => {
        let run = await findRun(parts, c);
        const seen = readSeenVersions(c.req.header('If-None-Match'));
        const waitSeconds = readWaitSeconds(c.req.raw.headers);
        if (waitSeconds !== undefined && seen !== undefined) {
            run = await waiters.wait({
                run,
                callerUid: c.get('caller').uid,
                waitMs: waitSeconds * 1000,
                signal: c.req.raw.signal,
                isReady: latest => (0,tables_state/* isFinal */.dR)(latest.state) || !seen.has(printVersion(latest)),
            });
            c.header('Preference-Applied', `wait=${waitSeconds}`);
        }
        c.header('ETag', printVersion(run));
        if (seen?.has(printVersion(run)))
            return c.body(null, 304);
        return c.body(await printOnce(run), 200, { 'Content-Type': 'application/json' });
    };
}
/**
 * POST /agent/runs/{runId}/cancel: answers with the id as a JSON string, which the published clients read. They send
 * an empty body, some with a JSON content type.
 */
function handleCancelRun(parts) {
    return async (c) => {
        const { runId } = await findRun(parts, c);
        const body = parseWith(cancelSchema, (await readOptionalJsonBody(c.req.raw, parts.limits.body_bytes)) ?? {});
        const reason = (0,terminal_text/* terminalLine */.tL)(body.reason ?? '').trim();
        const who = `requested ${nameCaller(c.get('caller'), parts)}`;
        const outcome = await parts.store.requestCancel(runId, reason === '' ? who : `${who}: ${reason}`);
        if (outcome === 'over') {
            const { state } = await findRun(parts, c);
            throw new RequestError('invalid_request', `the run is over (${state}) and cannot be canceled`);
        }
        parts.log('info', outcome === 'cancelled' ? 'run canceled before it started' : 'cancel requested', {
            run: runId,
            caller: c.get('caller').uid,
        });
        return c.json(runId);
    };
}
function nameCaller({ uid, displayName }, { environmentCaller }) {
    return uid === environmentUid ? environmentCaller : `with the key "${displayName}"`;
}
/** PUT /agent/runs/{runId}/lease */
function handleRenewLease(parts) {
    return async (c) => {
        const { runId } = await findRun(parts, c);
        const { lease_seconds } = parseWith(leaseSchema, await readJsonBody(c.req.raw, parts.limits.body_bytes));
        checkLease(lease_seconds, parts.limits.min_lease_seconds);
        const expiresAt = await parts.store.renewLease(runId, lease_seconds);
        if (expiresAt === undefined)
            throw new RequestError('invalid_request', 'the run is over or being canceled, so there is no lease to renew');
        return c.json({ lease_expires_at: printTime(expiresAt) });
    };
}
/** DELETE /agent/runs/{runId}/lease: succeeds too if the run has no lease. */
function handleReleaseLease(parts) {
    return async (c) => {
        const { runId } = await findRun(parts, c);
        if (!(await parts.store.releaseLease(runId)))
            throw new RequestError('invalid_request', 'the run is over or being canceled, so there is no lease to remove');
        return c.json({});
    };
}
/** GET /agent/runs/{runId}/result */
function handleReadResult(parts) {
    return async (c) => {
        const { runId, state } = await findRun(parts, c);
        const text = await parts.store.readResult(runId);
        if (text === undefined)
            throw new RequestError('no_result', `the run is ${state} and has no result${(0,tables_state/* isFinal */.dR)(state) ? '' : ' yet'}`);
        c.header(tables_headers/* headerNames */.Qb.resultBytes, String(Buffer.byteLength(text)));
        return c.text(text);
    };
}
/** Finds the run in the address. An invalid id gets the same answer as an unknown one. */
async function findRun({ store }, c) {
    const runId = c.req.param('runId') ?? '';
    const run = (0,validate/* default */.A)(runId) ? await store.readRun(runId.toLowerCase()) : undefined;
    if (run === undefined)
        throw new RequestError('resource_not_found', `this server has no run ${JSON.stringify(runId.slice(0, 80))}`);
    return run;
}
/** Reads the versions of If-None-Match; undefined without one. A compressing proxy marks them as weak. */
function readSeenVersions(header) {
    return header === undefined
        ? undefined
        : new Set(header.split(',').map(version => version.trim().replace(/^W\//, '')));
}
function printVersion(run) {
    return `"${run.version}"`;
}

;// CONCATENATED MODULE: ./build/js/server/http/event-routes.js









/**
 * GET /agent/runs/{runId}/events: a page of the log after `after`. With `Prefer: wait=N` it waits for new events.
 * With `Accept: text/event-stream` it streams the log from `Last-Event-ID`, otherwise from `after`.
 */
function handleListEvents(parts) {
    return async (c) => {
        const found = await findRun(parts, c);
        const { after, limit } = parseQuery(eventQuerySchema, Object.fromEntries(new URL(c.req.url).searchParams));
        const { signal } = c.req.raw;
        const callerUid = c.get('caller').uid;
        if (prefersStream(c.req.header('Accept'))) {
            const stream = streamEvents(parts, { run: found, after: readLastEventId(c) ?? after, callerUid, signal });
            // X-Accel-Buffering: nginx and similar proxies would buffer the stream.
            return c.body(stream, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
        }
        const waitSeconds = readWaitSeconds(c.req.raw.headers);
        if (waitSeconds === undefined)
            return c.json(await readEventPage(parts.store, { run: found, after, limit }));
        const run = await parts.waiters.wait({
            run: found,
            callerUid,
            waitMs: waitSeconds * 1000,
            signal,
            isReady: latest => latest.lastSeq > after || (0,tables_state/* isFinal */.dR)(latest.state),
        });
        c.header('Preference-Applied', `wait=${waitSeconds}`);
        return c.json(await readEventPage(parts.store, { run, after, limit }));
    };
}
/** A reader reconnects with the number of its last event. */
function readLastEventId(c) {
    const text = c.req.header('Last-Event-ID')?.trim();
    if (text === undefined || text === '')
        return undefined;
    if (!/^\d{1,15}$/.test(text))
        throw invalidRequest([{ path: 'Last-Event-ID', message: 'must be the number of an event' }]);
    return Number(text);
}

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/parse.js + 1 modules
var classic_parse = __webpack_require__(3852);
// EXTERNAL MODULE: ./build/js/base/process/version.js
var version = __webpack_require__(5144);
;// CONCATENATED MODULE: ./build/js/contract/page.js


const pageSchema = schemas/* object */.Ikc({
    runs: schemas/* array */.YOg(runSchema).describe('The runs, without their results'),
    page_info: schemas/* object */.Ikc({
        has_next_page: schemas/* boolean */.zMY(),
        next_cursor: schemas/* string */.YjP().optional().describe('Absent on the last page'),
    }),
});

;// CONCATENATED MODULE: ./build/js/contract/problem.js

/** The body of every error response (`application/problem+json`, RFC 9457). */
const problemSchema = schemas/* object */.Ikc({
    type: schemas/* string */.YjP().describe("URL of this server's page about the error code; ends with the code"),
    title: schemas/* string */.YjP(),
    status: schemas/* int */.Whr(),
    detail: schemas/* string */.YjP().optional(),
    instance: schemas/* string */.YjP().optional(),
    error: schemas/* string */.YjP().describe('Title and detail as one string, for older clients'),
    retryable: schemas/* boolean */.zMY(),
    trace_id: schemas/* string */.YjP().describe('Same as X-Request-Id'),
    issues: schemas/* array */.YOg(schemas/* object */.Ikc({ path: schemas/* string */.YjP(), message: schemas/* string */.YjP() })).optional(),
});

;// CONCATENATED MODULE: ./build/js/contract/redirects.js

/** Where to view a session instead; empty while its own page is right. */
const sessionRedirectSchema = schemas/* object */.Ikc({
    conversation_id: schemas/* string */.YjP().optional().describe('Present once the run with that session has ended'),
});
/** Where to view a conversation instead; empty while its own page is right. */
const conversationRedirectSchema = schemas/* object */.Ikc({
    session_id: schemas/* string */.YjP().optional().describe('Present while that conversation has an open run with a known session'),
});

// EXTERNAL MODULE: ./node_modules/zod/v4/core/registries.js
var registries = __webpack_require__(9396);
;// CONCATENATED MODULE: ./build/js/server/http/openapi/openapi-examples.js

const runId = '0198a2f4-5c1e-7d3a-9b60-3f1c2d4e5a6b';
const server = 'https://agents.example.com';
const openapi_examples_prompt = 'Fix the failing test in src/cart.ts.';
const title = 'Fix the failing test';
const metadata = { team: 'shop' };
const request = {
    prompt: openapi_examples_prompt,
    title,
    config: { name: 'nightly', base_prompt: 'Change as little as possible.' },
    metadata,
};
const response = {
    run_id: runId,
    task_id: runId,
    state: 'QUEUED',
    session_link: `${server}/runs/${runId}?token=1790000000000.c2lnbmF0dXJl`,
};
const run = {
    run_id: runId,
    task_id: runId,
    title,
    prompt: openapi_examples_prompt,
    state: 'FAILED',
    status_message: {
        message: 'the setup command `npm ci` ended with exit code 1',
        error_code: 'environment_setup_failed',
        retryable: false,
    },
    created_at: '2026-01-31T12:00:00.000Z',
    updated_at: '2026-01-31T12:01:30.000Z',
    started_at: '2026-01-31T12:00:01.000Z',
    finished_at: '2026-01-31T12:01:30.000Z',
    run_time: 'PT89S',
    attempt: 1,
    source: 'API',
    execution_location: 'REMOTE',
    creator: { type: 'service_account', uid: 'env', display_name: 'environment' },
    agent_config: {
        name: 'nightly',
        model_id: 'claude-haiku-4-5',
        base_prompt: 'Change as little as possible.',
        harness: { type: 'claude', name: 'claude' },
    },
    conversation_id: runId,
    metadata,
    last_seq: 12,
    is_run_type_cancellable: true,
    artifacts: [],
};
const error = {
    type: `${server}/errors/invalid_request`,
    title: errorCodeEntry('invalid_request').title,
    status: 400,
    detail: 'prompt: is missing or empty',
    instance: '/api/v1/agent/runs',
    error: `${errorCodeEntry('invalid_request').title} (prompt: is missing or empty)`,
    retryable: false,
    trace_id: '0198a2f4-6f00-7c11-8d55-0a1b2c3d4e5f',
    issues: [{ path: 'prompt', message: 'is missing or empty' }],
};
/** Examples by the name of their shape. */
const examples = { RunAgentRequest: request, RunAgentResponse: response, RunItem: run, Error: error };

;// CONCATENATED MODULE: ./build/js/server/http/openapi/openapi-schemas.js
/** Prints the contract's schemas as JSON Schema 2020-12, which OpenAPI 3.1 uses. */








/** Named shapes of the document. Generators name their types after the public interface's names. */
const namedSchemas = registries/* registry */.u5();
for (const [id, schema] of Object.entries({
    RunAgentRequest: createRunSchema,
    RunAgentResponse: createRunAnswerSchema,
    ListRunsResponse: pageSchema,
    PageInfo: pageSchema.shape.page_info,
    RunItem: runSchema,
    RunState: runStateSchema,
    RunStatusMessage: runSchema.shape.status_message.unwrap(),
    RunSourceType: runSourceSchema,
    RunCreatorInfo: runSchema.shape.creator,
    AmbientAgentConfig: configSchema,
    MCPServerConfig: configSchema.shape.mcp_servers.unwrap().valueType,
    Error: problemSchema,
    RunEvent: eventSchema,
    EventPage: eventPageSchema,
}))
    namedSchemas.add(schema, { id });
const nameAddress = (name) => `#/components/schemas/${name}`;
/** Printed as input, schemas allow unknown members. Answers may contain them too. Answers have no defaults. */
const printing = { io: 'input', unrepresentable: 'any' };
/** `components.schemas` */
function printNamedSchemas() {
    const { schemas } = json_schema_processors/* toJSONSchema */.bl(namedSchemas, { ...printing, uri: nameAddress });
    return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [
        name,
        Object.hasOwn(examples, name) ? { ...schema, examples: [examples[name]] } : schema,
    ]));
}
/** Prints a schema with a reference for each named part. */
function openapi_schemas_printSchema(schema) {
    const { $schema: _dialect, ...printed } = json_schema_processors/* toJSONSchema */.bl(schema, {
        ...printing,
        override({ zodSchema, jsonSchema }) {
            const name = namedSchemas.get(zodSchema)?.id;
            if (name === undefined)
                return;
            for (const keyword of Object.keys(jsonSchema))
                delete jsonSchema[keyword];
            jsonSchema.$ref = nameAddress(name);
        },
    });
    return printed;
}

;// CONCATENATED MODULE: ./build/js/server/http/openapi/openapi.js

















const waitHeader = {
    [tables_headers/* headerNames */.Qb.prefer]: `wait=N: hold the answer until something changes or N seconds pass (N is capped at ${sizes/* sizes */.L.waitSeconds})`,
};
const bodyErrors = ['payload_too_large', 'unsupported_media_type'];
const create = {
    headers: {
        [tables_headers/* headerNames */.Qb.idempotencyKey]: `1 to ${sizes/* sizes */.L.idempotencyKeyCharacters} visible ASCII characters. Repeating a key with the same body returns the same run; with a different body it returns 422`,
        [tables_headers/* headerNames */.Qb.source]: 'What starts the run; API if omitted',
    },
    body: createRunSchema,
    answer: createRunAnswerSchema,
    answerHeaders: {
        Location: 'URL of the run',
        [tables_headers/* headerNames */.Qb.idempotentReplayed]: 'true if an earlier request created the run',
    },
    errors: [
        'invalid_request',
        'resource_not_found',
        'conflict',
        ...bodyErrors,
        'operation_not_supported',
        'resource_unavailable',
    ],
};
const operations = {
    createRun: create,
    createRunOldPath: create,
    listRuns: { query: listQuerySchema, answer: pageSchema, errors: ['invalid_request'] },
    readRun: {
        headers: { 'If-None-Match': 'A version seen before; required to wait', ...waitHeader },
        answer: runSchema,
        answerHeaders: { ETag: 'Version of the run: changes with state, message, result, skill and cancel request' },
        isConditional: true,
        errors: ['resource_not_found'],
    },
    cancelRun: {
        body: cancelSchema,
        isBodyOptional: true,
        answer: schemas/* string */.YjP().describe('The id of the run'),
        errors: ['invalid_request', 'resource_not_found', ...bodyErrors],
    },
    sendFollowup: {
        headers: {
            [tables_headers/* headerNames */.Qb.idempotencyKey]: 'Repeating a key with the same message sends it once; with a different message it returns 422',
        },
        body: followupSchema,
        answer: followupAnswerSchema,
        answerHeaders: { [tables_headers/* headerNames */.Qb.idempotentReplayed]: 'true if an earlier request sent the message' },
        errors: ['invalid_request', 'resource_not_found', ...bodyErrors, 'operation_not_supported', 'resource_unavailable'],
    },
    renewLease: {
        body: leaseSchema,
        answer: leaseAnswerSchema,
        errors: ['invalid_request', 'resource_not_found', ...bodyErrors],
    },
    releaseLease: { answer: leaseReleasedSchema, errors: ['invalid_request', 'resource_not_found'] },
    listEvents: {
        query: eventQuerySchema,
        headers: {
            ...waitHeader,
            'Last-Event-ID': 'For server-sent events (Accept: text/event-stream): the last event received; overrides after',
        },
        answer: eventPageSchema,
        streams: true,
        errors: ['invalid_request', 'resource_not_found'],
    },
    readResult: {
        answer: 'text',
        answerHeaders: { [tables_headers/* headerNames */.Qb.resultBytes]: 'Size of the whole text in bytes of UTF-8' },
        errors: ['resource_not_found', 'no_result'],
    },
    listAgents: {
        query: agentQuerySchema,
        answer: agentsAnswerSchema,
        errors: ['invalid_request', 'resource_not_found', 'resource_unavailable'],
    },
    listEnvironments: { query: environmentQuerySchema, answer: environmentsAnswerSchema, errors: ['invalid_request'] },
    readArtifact: { answer: artifactAnswerSchema, errors: ['resource_not_found'] },
    downloadArtifact: { answer: 'redirect', errors: ['resource_not_found'] },
    redirectSession: { answer: sessionRedirectSchema, isOpen: true, errors: [] },
    redirectConversation: { answer: conversationRedirectSchema, isOpen: true, errors: [] },
};
/** Outside the prefix. `download_url` and `downloadArtifact` use this address. */
const filePath = '/artifacts/{artifactUid}';
const fileOperation = {
    query: schemas/* object */.Ikc({ token: schemas/* string */.YjP().describe('The token from the link; it expires') }),
    answer: 'bytes',
    isOpen: true,
    errors: ['not_authorized', 'resource_not_found'],
};
/** GET /openapi.json: the OpenAPI 3.1 document, made from the contract's schemas and tables. Needs no key. */
function addOpenApi(app, { publicUrl }) {
    app.get('/openapi.json', c => c.json(printOpenApi(publicUrl())));
}
function printOpenApi(publicUrl) {
    const paths = {};
    for (const [id, route] of Object.entries(routes/* routes */.JZ)) {
        const operation = operations[id];
        paths[route.path] = {
            ...paths[route.path],
            [route.method.toLowerCase()]: {
                operationId: id,
                summary: routes/* routeSummaries */.oq[id],
                ...printOperation(operation, route.path),
            },
        };
    }
    paths[filePath] = {
        servers: [{ url: publicUrl }],
        get: { operationId: 'readFile', summary: 'Read the file', ...printOperation(fileOperation, filePath) },
    };
    return {
        openapi: '3.1.0',
        info: {
            title: 'agent-run',
            version: version/* version */.r,
            description: 'Starts agent runs, follows them and keeps their history.',
            license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: `${publicUrl}${routes/* apiPrefix */.P8}` }],
        security: [{ bearer: [] }],
        paths,
        components: {
            securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
            schemas: printNamedSchemas(),
        },
    };
}
const locationHeader = { Location: { description: 'Redirect target', schema: { type: 'string' } } };
function printOperation(operation, path) {
    const parameters = [
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
            name,
            in: 'path',
            required: true,
            schema: { type: 'string', format: 'uuid' },
        })),
        ...Object.entries(operation.query?.shape ?? {}).map(([name, schema]) => ({
            name,
            in: 'query',
            required: !classic_parse/* safeParse */.xL(schema, undefined).success,
            ...printQuerySchema(schema),
        })),
        ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
            name,
            in: 'header',
            required: false,
            description,
            schema: { type: 'string' },
        })),
    ];
    const content = printContent(operation);
    const headers = Object.entries(operation.answerHeaders ?? {}).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
    ]);
    return {
        ...(operation.isOpen === true ? { security: [] } : {}),
        parameters,
        ...(operation.body === undefined
            ? {}
            : {
                requestBody: {
                    required: operation.isBodyOptional !== true,
                    content: { 'application/json': { schema: openapi_schemas_printSchema(operation.body) } },
                },
            }),
        responses: {
            ...(content === undefined
                ? { 302: { description: 'The Location header has the address', headers: locationHeader } }
                : { 200: { description: 'Done', headers: Object.fromEntries(headers), content } }),
            ...(operation.isConditional === true ? { 304: { description: 'Unchanged since If-None-Match' } } : {}),
            ...printErrors([
                ...operation.errors,
                ...(operation.isOpen === true ? [] : ['authentication_required']),
                'internal_error',
            ]),
        },
    };
}
/** Undefined if the answer is a redirect. */
function printContent({ answer, streams }) {
    if (answer === 'redirect')
        return undefined;
    if (answer === 'text')
        return { 'text/plain': { schema: { type: 'string' } } };
    if (answer === 'bytes')
        return { 'application/octet-stream': {} };
    return {
        'application/json': { schema: openapi_schemas_printSchema(answer) },
        ...(streams === true ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    };
}
/** A query writes an object as `name[key]=value`, which is not OpenAPI's default. */
function printQuerySchema(schema) {
    const printed = openapi_schemas_printSchema(schema);
    return {
        schema: printed,
        ...('type' in printed && printed.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    };
}
function printErrors(codes) {
    const statusOf = (code) => errorCodeEntry(code).status ?? 500;
    return Object.fromEntries(codes.map(code => [
        statusOf(code),
        {
            description: codes.filter(other => statusOf(other) === statusOf(code)).join(', '),
            content: { 'application/problem+json': { schema: openapi_schemas_printSchema(problemSchema) } },
        },
    ]));
}

// EXTERNAL MODULE: ./node_modules/hono/dist/helper/html/index.js
var html = __webpack_require__(5621);
;// CONCATENATED MODULE: ./build/js/web/live-script.js
/**
 * The only script of the pages. It polls `…/live` and inserts the answer, which is this server's markup with all text
 * of runs escaped. The content security policy would stop any script in it.
 */
const liveScript = `'use strict';
(() => {
  const keptEntries = 5000;
  const main = document.querySelector('main');
  const log = document.getElementById('log');
  const earlier = document.getElementById('earlier');
  const bar = document.getElementById('live');
  let after = main.dataset.after;
  let version = main.dataset.version;
  let failures = 0;
  let cutNap = () => {};

  const nap = ms => new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    cutNap = () => { clearTimeout(timer); resolve(); };
  });
  const say = (mood, text) => {
    if (bar.textContent === text) return;
    bar.dataset.mood = mood;
    bar.textContent = text;
  };
  const addressWith = more => {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    return '?' + query;
  };

  // A browser opens at most six connections to a server, so a hidden page must not hold one. After a failure the
  // request does not wait, so that the page soon shows that the connection is back.
  const ask = async () => {
    const query = addressWith({ after, version, wait: document.hidden || failures > 0 ? 'no' : 'yes' });
    const answer = await fetch(location.pathname + '/live' + query, { cache: 'no-store', signal: AbortSignal.timeout(60000) });
    if (answer.status === 403) return undefined;
    if (!answer.ok) throw new Error('status ' + answer.status);
    return answer.json();
  };

  // Unchanged parts stay, so that a screen reader does not repeat them and a selection is kept.
  const showHead = markup => {
    const fresh = document.createElement('template');
    fresh.innerHTML = markup;
    for (const part of fresh.content.children) {
      const shown = document.getElementById(part.id);
      if (shown.innerHTML !== part.innerHTML) shown.innerHTML = part.innerHTML;
      if (part.dataset.title) document.title = part.dataset.title;
    }
  };

  const showEvents = markup => {
    if (markup === '') return;
    const page = document.documentElement;
    const readsEnd = scrollY > 0 && scrollY + innerHeight > page.scrollHeight - 80;
    log.insertAdjacentHTML('beforeend', markup);
    while (log.childElementCount > keptEntries) log.firstElementChild.remove();
    const first = Number(log.firstElementChild.dataset.seq);
    earlier.hidden = first === 1;
    earlier.querySelector('span').textContent = (first - 1).toLocaleString('en');
    earlier.querySelector('a').href = addressWith({ before: first });
    if (readsEnd) scrollTo(0, page.scrollHeight);
  };

  const follow = async () => {
    for (;;) {
      try {
        const page = await ask();
        if (page === undefined) return say('lost', 'This link has expired. npx agent-run open RUN_ID prints a new one.');
        showHead(page.head);
        showEvents(page.events);
        after = page.next_after;
        version = page.version;
        failures = 0;
        if (page.done) return say('over', 'The run is over.');
        say('live', 'Live: this page updates itself.');
        await nap(document.hidden ? 15000 : 300);
      } catch {
        failures += 1;
        say('lost', 'Connection lost. Reconnecting …');
        await nap(Math.min(1000 * 2 ** (failures - 1), 10000) * (0.5 + Math.random() / 2));
      }
    }
  };

  addEventListener('online', () => cutNap());
  document.addEventListener('visibilitychange', () => { if (!document.hidden) cutNap(); });
  say('live', 'Live: this page updates itself.');
  follow();
})();
`;

;// CONCATENATED MODULE: ./build/js/web/style.js
/**
 * The style of every page. Colors are variables for light and dark mode. Each text has a contrast of 4.5 or more with
 * its background.
 */
const style = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --panel: #ffffff; --line: #e2e2de; --text: #1d1f21; --quiet: #62666b; --link: #0b57c2;
  --good: #17693a; --good-ground: #dff3e5; --bad: #a8201a; --bad-ground: #fbe4e1; --busy: #0b57c2; --busy-ground: #e1ecfb;
  --held: #7a5200; --held-ground: #f8ecd0; --idle: #4d5257; --idle-ground: #ebebe8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #151618; --panel: #1c1e21; --line: #303338; --text: #e4e5e7; --quiet: #9ea3aa; --link: #85b4f8;
    --good: #86d8a3; --good-ground: #15331f; --bad: #f79c94; --bad-ground: #421a18; --busy: #94bdfa; --busy-ground: #162b4b;
    --held: #e8c170; --held-ground: #382b0e; --idle: #b6bac0; --idle-ground: #2b2e33;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-bottom: 4rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.top, main { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
.top { padding-top: 1rem; font-size: .875rem; }
.top a { color: var(--quiet); text-decoration: none; }
a { color: var(--link); text-underline-offset: .2em; }
a:has(> code) { text-decoration: none; }
a:has(> code):hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { margin: 1rem 0 .25rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; font-weight: 650; }
p { margin: .5rem 0; }
.quiet { color: var(--quiet); font-size: .875rem; }
.id { margin: 0; }
code, pre, .kind, .log time { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
pre { margin: 0; padding: .75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; line-height: 1.5; tab-size: 4; }
summary { cursor: pointer; }
details > pre { margin-top: .5rem; }
.left { margin: .5rem 0; padding-left: 1.25rem; }
.result { max-height: 32rem; overflow: auto; }
.badge { display: inline-block; padding: .0625rem .625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); background: var(--good-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
.busy { color: var(--busy); background: var(--busy-ground); }
.held { color: var(--held); background: var(--held-ground); }
.idle { color: var(--idle); background: var(--idle-ground); }
#state { margin: 1rem 0; }
.message { white-space: pre-wrap; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .75rem 2rem; margin: 1.25rem 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
.facts dt { color: var(--quiet); font-size: .8125rem; }
.facts dd { margin: 0; }
.facts .broad { grid-column: 1 / -1; }
.log { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.log li { display: grid; grid-template-columns: 4.25rem 6.25rem minmax(0, 1fr); gap: 0 .75rem; padding: .25rem 0 .25rem .5rem; border-left: 3px solid transparent; }
.log time, .kind { color: var(--quiet); line-height: 1.625rem; font-variant-numeric: tabular-nums; }
.log pre { padding: .125rem 0; background: none; border: 0; border-radius: 0; }
.log p { margin: 0; white-space: pre-wrap; }
.log b { margin-right: .5rem; font-weight: 600; }
.log .message, .log .tool, .log li.bad { padding-block: .5rem; }
.log .message { background: var(--panel); }
.log .stderr { border-left-color: var(--held); }
.log .stderr .kind { color: var(--held); }
.log li.bad { border-left-color: var(--bad); }
.log li.bad .kind { color: var(--bad); }
.log .system pre, .log .other div { color: var(--quiet); font-style: italic; }
.log .other div { font-size: .875rem; line-height: 1.625rem; }
.log .stdout + .stdout .kind, .log .stderr + .stderr .kind { opacity: 0; }
.begin { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.bar { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; margin-top: 1rem; padding: .5rem 0; background: var(--ground); border-top: 1px solid var(--line); font-size: .875rem; }
.bar a { margin-left: auto; }
#live::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem; border-radius: 50%; background: var(--quiet); }
#live[data-mood=live]::before { background: var(--good); }
#live[data-mood=lost] { color: var(--bad); font-weight: 600; }
#live[data-mood=lost]::before { background: var(--bad); }
#end { height: 1.5rem; }
.wide { overflow-x: auto; }
tbody span { display: block; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: normal; }
td.prose { min-width: 16rem; }
thead th { color: var(--quiet); font-size: .8125rem; }
@media (max-width: 40rem) {
  td.prose, thead th:last-child { display: none; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem 1rem; }
  .log li { grid-template-columns: auto 1fr; }
  .log li > div { grid-column: 1 / -1; min-width: 0; }
  .log .stdout + .stdout :is(.kind, time), .log .stderr + .stderr :is(.kind, time) { display: none; }
}
`;

;// CONCATENATED MODULE: ./build/js/web/html-document.js




/** Without scripts, a page that follows its run reloads after this time. */
const refreshSeconds = 15;
/**
 * The frame of every page. Its style and script are constants, so that the content security policy can list their
 * hashes.
 */
function renderDocument({ title, root, body, live }) {
    return (0,html/* html */.q) `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · agent-run</title>
<style>${(0,html/* raw */.l)(style)}</style>${live &&
        (0,html/* html */.q) `
<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
<header class="top"><a href="${root}">agent-run</a></header>
${live === undefined
        ? (0,html/* html */.q) `<main>${body}</main>`
        : (0,html/* html */.q) `<main data-after="${live.after}" data-version="${live.version}">${body}</main>
<script>${(0,html/* raw */.l)(liveScript)}</script>`}
</body>
</html>
`;
}
/**
 * Headers of every page. A run's page shows untrusted text and has its token in the address. Only this project's
 * script runs, nothing loads from elsewhere, and no referrer is sent.
 */
const pageHeaders = Object.freeze({
    'Content-Security-Policy': [
        "default-src 'none'",
        `script-src ${hashSource(liveScript)}`,
        `style-src ${hashSource(style)}`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
});
function hashSource(text) {
    return `'sha256-${(0,external_node_crypto_.createHash)('sha256').update(text).digest('base64')}'`;
}

;// CONCATENATED MODULE: ./build/js/web/state-badge.js



/** The word shows the state; the tone only adds a color. */
const looks = {
    QUEUED: { word: 'Queued', tone: 'idle' },
    PENDING: { word: 'Pending', tone: 'idle' },
    CLAIMED: { word: 'Claimed', tone: 'idle' },
    INPROGRESS: { word: 'In progress', tone: 'busy' },
    SUCCEEDED: { word: 'Succeeded', tone: 'good' },
    FAILED: { word: 'Failed', tone: 'bad' },
    ERROR: { word: 'Error', tone: 'bad' },
    BLOCKED: { word: 'Blocked', tone: 'held' },
    CANCELLED: { word: 'Canceled', tone: 'held' },
};
function renderStateBadge(state) {
    const known = findState(state);
    return (0,html/* html */.q) `<span class="badge ${known === undefined ? 'idle' : looks[known].tone}">${stateWord(state)}</span>`;
}
/** The state in plain words. */
function stateWord(state) {
    const known = findState(state);
    return known === undefined ? (0,terminal_text/* revealControls */.wy)(state) : looks[known].word;
}
function stateMeaning(state) {
    const known = findState(state);
    return known === undefined ? '' : tables_state/* stateMeanings */.eV[known];
}
function findState(state) {
    return tables_state/* runStates */.OU.find(known => known === state);
}

;// CONCATENATED MODULE: ./build/js/web/error-pages.js






/** The page that the `type` of a problem document links to. */
function renderErrorPage({ code, title, status, retryable, endsRunAs, remedy }) {
    return renderDocument({
        title,
        root: '../',
        body: (0,html/* html */.q) `
<h1>${title}</h1>
<dl class="facts">
<div class="broad"><dt>Code</dt><dd><code>${code}</code></dd></div>
<div><dt>HTTP status</dt><dd>${status ?? 'none: used only for runs'}</dd></div>
<div><dt>A run ends as</dt><dd>${endsRunAs === undefined ? 'not used for runs' : renderStateBadge(endsRunAs)}</dd></div>
<div><dt>Retry without changes</dt><dd>${retryable ? 'can succeed' : 'will fail again'}</dd></div>
</dl>
<h2>What to do</h2>
<p>${renderProse(remedy)}</p>
<p><a href="../errors">All error codes</a></p>
`,
    });
}
function renderErrorsPage() {
    const rows = errorCodes.map(({ code, title, status, retryable, endsRunAs, remedy }) => (0,html/* html */.q) `<tr>
<th scope="row"><a href="errors/${code}"><code>${code}</code></a><span>${title}</span></th><td>${status ?? '–'}</td><td>${endsRunAs ?? '–'}</td><td>${retryable ? 'yes' : 'no'}</td><td class="prose">${renderProse(remedy)}</td>
</tr>
`);
    return renderDocument({
        title: 'Error codes',
        root: './',
        body: (0,html/* html */.q) `
<h1>Error codes</h1>
<div class="wide" tabindex="0" role="region" aria-label="Error codes">
<table>
<thead><tr><th scope="col">Code and meaning</th><th scope="col">Status</th><th scope="col">Run ends as</th><th scope="col">Retry</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`,
    });
}
function renderUnknownErrorPage(code) {
    const known = errorCodes.map(row => row.code);
    return renderDocument({
        title: 'Unknown error code',
        root: '../',
        body: (0,html/* html */.q) `
<h1>Unknown error code</h1>
<p>This version has no error code <code>${(0,terminal_text/* revealControls */.wy)(code.slice(0, 80))}</code>${(0,nearest/* didYouMean */.au)(code.slice(0, 80), known) || '.'}</p>
<p><a href="../errors">All error codes</a></p>
`,
    });
}
/** Backticks mark code in the table's text. */
function renderProse(prose) {
    return prose.split('`').map((part, index) => (index % 2 === 1 ? (0,html/* html */.q) `<code>${part}</code>` : (0,html/* html */.q) `${part}`));
}

;// CONCATENATED MODULE: ./build/js/web/home-page.js



/** The page of the bare address. It shows nothing about runs because it needs no key. */
function renderHomePage() {
    return renderDocument({
        title: 'Server',
        root: './',
        body: (0,html/* html */.q) `
<h1>agent-run server</h1>
<p>This server runs agents and keeps their history. Version ${version/* version */.r}.</p>
<ul>
<li>To see a run, open its complete link, with its token. <code>npx agent-run open RUN_ID</code> prints one.</li>
<li><a href="openapi.json">API reference</a> as an OpenAPI document</li>
<li><a href="errors">Error codes</a> and how to fix them</li>
</ul>
`,
    });
}
/** The one answer for every invalid link. It does not reveal whether the run exists. */
function renderLinkNeededPage() {
    return renderDocument({
        title: 'Link needed',
        root: '../',
        body: (0,html/* html */.q) `
<h1>This page needs the complete link</h1>
<p>Open the complete link, with its token. Links expire after a month or two: <code>npx agent-run open RUN_ID</code> prints a new one.</p>
`,
    });
}

// EXTERNAL MODULE: ./build/js/base/wording/artifact-words.js
var artifact_words = __webpack_require__(2771);
// EXTERNAL MODULE: ./build/js/base/wording/tool-text.js
var tool_text = __webpack_require__(6031);
// EXTERNAL MODULE: ./build/js/base/wording/usage-total.js
var usage_total = __webpack_require__(6449);
;// CONCATENATED MODULE: ./build/js/web/long-text.js

const openLines = 12;
const openCharacters = 1500;
/**
 * Text unchanged, folded if it is long. The summary shows its beginning. The text must be free of control characters.
 */
function renderLongText(text) {
    const lines = countLines(text);
    if (lines <= openLines && text.length <= openCharacters)
        return (0,html/* html */.q) `<pre>${text}</pre>`;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    return (0,html/* html */.q) `<details><summary><span class="begin">${text.trimStart().split('\n', 1)[0]?.slice(0, 100)}</span> <span class="quiet">… ${size}</span></summary><pre>${text}</pre></details>`;
}
function countLines(text) {
    let lines = 1;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
        lines += 1;
    return lines;
}

;// CONCATENATED MODULE: ./build/js/web/time-text.js
const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
];
/** A duration in its two largest units: `350 ms`, `4.2 s`, `3 min 20 s`, `2 d 4 h`. */
function printSpan(ms) {
    if (ms < 1000)
        return `${Math.max(0, Math.round(ms))} ms`;
    if (ms < 10_000)
        return `${Math.floor(ms / 100) / 10} s`;
    let seconds = Math.floor(ms / 1000);
    const parts = [];
    for (const [unit, size] of units) {
        const count = Math.floor(seconds / size);
        seconds -= count * size;
        if (count > 0)
            parts.push(`${count} ${unit}`);
        else if (parts.length > 0)
            break;
        if (parts.length === 2)
            break;
    }
    return parts.join(' ');
}
/** The time since a moment, in its largest unit: `3 min ago`. */
function printAgo(ms) {
    if (ms < 2000)
        return 'just now';
    const [unit, size] = units.find(([, seconds]) => ms >= seconds * 1000) ?? ['s', 1];
    return `${Math.floor(ms / 1000 / size)} ${unit} ago`;
}
/** `2030-01-31 12:03:04 UTC` for a time on the wire. */
function printMoment(time) {
    return `${time.slice(0, 10)} ${printClockTime(time)} UTC`;
}
/** `12:03:04` for a time on the wire, which is UTC. */
function printClockTime(time) {
    return time.slice(11, 19);
}

;// CONCATENATED MODULE: ./build/js/web/run-events.js










/** The log's entries as list items, in order. Used for the first page and for later updates. */
function renderEvents(events) {
    return (0,html/* html */.q) `${joinLog(events.map(nameKnown)).map(event => {
        const { kind, look, content } = describeEvent(event);
        return (0,html/* html */.q) `<li class="${look}" id="e${event.seq}" data-seq="${event.seq}"><time datetime="${event.at}">${printClockTime(event.at)}</time><span class="kind">${kind}</span><div>${content}</div></li>
`;
    })}`;
}
/** An event that does not match its type, as an earlier version stored some, is shown like one of an unknown type. */
function nameKnown(event) {
    return readEventDraft(event) === undefined ? { ...event, type: `odd ${event.type}` } : event;
}
/**
 * Joins output that continues a line of the same stream. Output is split into events by time and size, and a progress
 * bar redrawn a hundred times should be one entry.
 */
function joinLog(events) {
    const groups = [];
    for (const event of events) {
        const group = groups.at(-1);
        if (group !== undefined && continuesLine(group.at(-1), event))
            group.push(event);
        else
            groups.push([event]);
    }
    return groups.map(group => {
        const [first] = group;
        if (first.type !== 'log')
            return first;
        const text = group.map(event => (event.type === 'log' ? event.data.text : '')).join('');
        return { ...first, data: { ...first.data, text } };
    });
}
function continuesLine(before, event) {
    return (before?.type === 'log' &&
        event.type === 'log' &&
        event.data.stream === before.data.stream &&
        !before.data.text.endsWith('\n'));
}
function describeEvent(event) {
    switch (event.type) {
        case 'log': {
            const { stream, level, text } = event.data;
            return level === 'warning'
                ? { kind: level, look: 'bad', content: renderOutput(text.replace(/^warning: /, '')) }
                : { kind: stream, look: stream, content: renderOutput(text) };
        }
        case 'state': {
            const { state, message = '' } = event.data;
            const content = (0,html/* html */.q) `${renderStateBadge(state)} <bdi>${(0,terminal_text/* terminalText */.eR)(message)}</bdi>`;
            return { kind: 'state', look: 'state', content };
        }
        case 'message':
            return {
                kind: (0,terminal_text/* revealControls */.wy)(event.data.role),
                look: 'message',
                content: (0,html/* html */.q) `<p dir="auto">${(0,terminal_text/* terminalText */.eR)(event.data.text)}</p>`,
            };
        case 'tool_call': {
            const { title, text } = (0,tool_text/* describeCall */.GC)(event.data.name, event.data.input);
            const content = (0,html/* html */.q) `<b><bdi>${(0,terminal_text/* revealControls */.wy)(title)}</bdi></b>${text !== '' && renderLongText((0,terminal_text/* terminalText */.eR)(text))}`;
            return { kind: 'tool', look: 'tool', content };
        }
        case 'tool_result': {
            const { output, is_error: isError, exit_code: exitCode } = event.data;
            if (!isError)
                return { kind: 'tool result', look: 'tool', content: renderValue(output) };
            const exit = exitCode !== undefined && (0,html/* html */.q) `<p class="quiet">exit code ${exitCode}</p>`;
            return { kind: 'tool error', look: 'bad', content: (0,html/* html */.q) `${exit}${renderValue(output)}` };
        }
        case 'usage':
            return { kind: 'usage', look: 'other', content: renderNumbers(event.data) };
        case 'artifact':
            return { kind: 'artifact', look: 'other', content: renderArtifact(event.data) };
        default:
            return { kind: (0,terminal_text/* revealControls */.wy)(event.type), look: 'other', content: renderValue(event.data) };
    }
}
function renderOutput(text) {
    return (0,html/* html */.q) `<pre>${(0,terminal_text/* terminalText */.eR)(text.replace(/\r?\n$/, ''))}</pre>`;
}
const indentedLevels = 20;
/** A string as it is, other values as JSON: in one line if that is short. */
function renderValue(value) {
    if (typeof value === 'string')
        return renderLongText((0,terminal_text/* terminalText */.eR)(value));
    const line = JSON.stringify(value) ?? '';
    // Each nesting level adds indentation to all lines below it.
    const isLine = line.length <= 100 || (0,json/* isNestedBeyond */.Jc)(value, indentedLevels);
    return renderLongText((0,terminal_text/* revealControls */.wy)(isLine ? line : JSON.stringify(value, null, 2)));
}
/** The page lists downloads separately. */
function renderArtifact({ artifact_type, ...data }) {
    const { kind, name, details } = (0,artifact_words/* describeArtifact */.Qw)({ artifact_type, data });
    return (0,html/* html */.q) `<bdi>${(0,terminal_text/* revealControls */.wy)([`${kind}: ${name}`, ...details].join(' · '))}</bdi>`;
}
function renderNumbers(usage) {
    const counted = Object.entries(usage).filter(([, value]) => value !== 0);
    return (0,html/* html */.q) `<bdi>${(0,terminal_text/* revealControls */.wy)((0,usage_total/* printUsage */.ny)(Object.fromEntries(counted)))}</bdi>`;
}

;// CONCATENATED MODULE: ./build/js/web/link.js


/** A link for web addresses only: never for `javascript:` or for an address that starts a program. */
function renderLink(address, text = address) {
    const url = URL.parse(address);
    const shown = (0,terminal_text/* revealControls */.wy)(text);
    return url?.protocol === 'https:' || url?.protocol === 'http:'
        ? (0,html/* html */.q) `<a href="${url.href}" rel="noreferrer noopener nofollow">${shown}</a>`
        : (0,html/* html */.q) `${shown}`;
}

;// CONCATENATED MODULE: ./build/js/web/run-left.js




/** The files, pull requests and other artifacts of a run; '' if there are none. `token` is the page's. */
function renderLeft({ run_id: runId, artifacts }, token) {
    if (artifacts.length === 0)
        return '';
    return (0,html/* html */.q) `<h2>Artifacts</h2>
<ul class="left">
${artifacts.map(artifact => run_left_renderArtifact(artifact, { runId, token }))}</ul>`;
}
function run_left_renderArtifact(artifact, { runId, token }) {
    const { kind, name, url, fileUid, details } = (0,artifact_words/* describeArtifact */.Qw)(artifact);
    // Relative, because the server may be behind a proxy with a path prefix.
    const file = `${runId}/artifacts/${encodeURIComponent(fileUid ?? '')}?token=${encodeURIComponent(token)}`;
    const what = fileUid !== undefined
        ? (0,html/* html */.q) `<a href="${file}" download>${(0,terminal_text/* revealControls */.wy)(name)}</a>`
        : url === undefined
            ? (0,html/* html */.q) `${(0,terminal_text/* revealControls */.wy)(name)}`
            : renderLink(url, name);
    const more = [kind, ...details].map(terminal_text/* revealControls */.wy).join(' · ');
    return (0,html/* html */.q) `<li><bdi>${what}</bdi> <span class="quiet"><bdi>${more}</bdi></span></li>
`;
}

;// CONCATENATED MODULE: ./build/js/web/run-head.js












/** The parts of the page that change while the run works. The script replaces the content of each by its id. */
function renderRunHead(run, { nowMs, token }) {
    return (0,html/* html */.q) `<div id="state" aria-live="polite" data-title="${runTitle(run)} · agent-run">${renderState(run)}</div>
<dl id="facts" class="facts">${renderFacts(run, nowMs)}</dl>
<section id="result" aria-label="Result">${renderResult(run)}</section>
<section id="left" aria-label="Artifacts">${renderLeft(run, token)}</section>
`;
}
/** `Failed: Tidy the tests`, for the browser tab. */
function runTitle({ state, title }) {
    return `${stateWord(state)}: ${(0,terminal_text/* revealControls */.wy)(title)}`;
}
function renderState({ run_id, state, status_message: status, cancel_requested_at }) {
    const cancelling = cancel_requested_at !== undefined && !(0,tables_state/* isFinal */.dR)(state);
    const isTold = (0,tables_state/* isFinal */.dR)(state) || (status !== undefined && state !== 'BLOCKED');
    const aside = cancelling ? 'being canceled' : isTold ? '' : stateMeaning(state);
    return (0,html/* html */.q) `<p>${renderStateBadge(state)} <span class="quiet">${aside}</span></p>${status && renderStatus(status)}${state === 'BLOCKED' &&
        (0,html/* html */.q) `<p class="quiet">Answer with <code>npx agent-run followup ${(0,terminal_text/* revealControls */.wy)(run_id)} MESSAGE</code></p>`}`;
}
function renderStatus({ message, error_code, reason = error_code, retryable }) {
    return (0,html/* html */.q) `<p class="message" dir="auto">${(0,terminal_text/* terminalText */.eR)(message)}</p>${reason !== undefined &&
        (0,html/* html */.q) `<p class="quiet">${renderErrorCode(reason)}${retryable && ': retrying can succeed'}</p>`}`;
}
function renderErrorCode(code) {
    const row = findErrorCode(code);
    return row === undefined
        ? (0,html/* html */.q) `<code>${(0,terminal_text/* revealControls */.wy)(code)}</code>`
        : (0,html/* html */.q) `<a href="../errors/${row.code}"><code>${row.code}</code></a>`;
}
function renderFacts(run, nowMs) {
    const { started_at, finished_at, trigger_url, metadata = {} } = run;
    const created = Date.parse(run.created_at);
    const started = started_at === null ? undefined : Date.parse(started_at);
    const isOpen = finished_at === null;
    // The server's clock may have been set between the two times.
    const workedSeconds = /^PT([\d.]+)S$/.exec(run.run_time ?? '')?.[1];
    return [
        renderFact('Created', (0,html/* html */.q) `${renderMoment(run.created_at)} <span class="quiet">${printAgo(nowMs - created)}</span>`),
        started_at !== null &&
            started !== undefined &&
            renderFact('Started', (0,html/* html */.q) `${renderMoment(started_at)} <span class="quiet">${isOpen ? `${printSpan(nowMs - started)} ago` : `waited ${printSpan(started - created)}`}</span>`),
        finished_at !== null &&
            renderFact('Finished', (0,html/* html */.q) `${renderMoment(finished_at)} <span class="quiet">${workedSeconds !== undefined && `took ${printSpan(Number(workedSeconds) * 1000)}`}</span>`),
        run.attempt > 1 && renderFact('Attempt', run.attempt),
        run.conversation_id !== run.run_id &&
            renderFact('Conversation', (0,html/* html */.q) `<code>${(0,terminal_text/* revealControls */.wy)(run.conversation_id)}</code>`),
        renderFact('Source', (0,html/* html */.q) `<code>${(0,terminal_text/* revealControls */.wy)(run.source)}</code>`),
        trigger_url !== undefined && renderFact('Triggered by', renderLink(trigger_url)),
        ...renderConfig(run),
        ...renderUsage(run.request_usage ?? {}),
        ...Object.entries(metadata).map(([name, value]) => renderFact((0,html/* html */.q) `<code>${(0,terminal_text/* revealControls */.wy)(name)}</code>`, (0,terminal_text/* revealControls */.wy)(value))),
    ].filter(fact => fact !== false);
}
function renderFact(name, value) {
    return (0,html/* html */.q) `<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
}
/** What the run was asked to do. MCP servers appear only by name, because everyone with the link sees this page. */
function renderConfig(run) {
    const { agent_config: config, agent_skill: skill, repository, ref, sha } = run;
    const { name, harness, idle_timeout_minutes: idleMinutes } = config;
    const [spec = skill?.name, ...moreSkills] = (0,skill_spec/* skillsOf */.sg)({ config });
    // A run without its own name has its skill's.
    const isNamed = name !== undefined && ![`:${name}`, `/${name}/SKILL.md`].some(end => spec?.endsWith(end));
    const path = skill?.full_path;
    const shown = {
        Name: isNamed ? name : undefined,
        Skill: spec,
        'Skill file': path === undefined || spec?.endsWith(`:${path}`) ? undefined : path,
        'More skills': moreSkills.join(', '),
        // The server may no longer have the environment with this uid.
        Environment: run.environment_name ?? config.environment_id,
        Repository: repository,
        Ref: ref,
        Commit: sha,
        Harness: harness?.name ?? harness?.type,
        Model: config.model_id,
        'MCP servers': Object.keys(config.mcp_servers ?? {}).join(', '),
        'Idle timeout': idleMinutes === undefined ? undefined : `${idleMinutes} min`,
    };
    return [
        ...Object.entries(shown).map(([label, value = '']) => value !== '' && renderFact(label, (0,html/* html */.q) `<code>${(0,terminal_text/* revealControls */.wy)(value)}</code>`)),
        // Often a whole paragraph.
        skill?.description !== undefined &&
            (0,html/* html */.q) `<div class="broad"><dt>Skill description</dt><dd><bdi>${(0,terminal_text/* revealControls */.wy)(skill.description)}</bdi></dd></div>`,
    ];
}
function renderUsage(usage) {
    const text = (0,usage_total/* printUsage */.ny)(usage);
    return text === '' ? [] : [(0,html/* html */.q) `<div class="broad"><dt>Usage</dt><dd><bdi>${(0,terminal_text/* revealControls */.wy)(text)}</bdi></dd></div>`];
}
function renderMoment(time) {
    return (0,html/* html */.q) `<time datetime="${time}">${printMoment(time)}</time>`;
}
function renderResult({ run_id, result }) {
    if (result === undefined)
        return '';
    const address = `${routes/* apiPrefix */.P8}${(0,routes/* routePath */.dA)('readResult', { runId: run_id })}`;
    const said = (0,run_text/* printRunText */.G)({ text: result.text, leftOutBytes: result.left_out_bytes ?? 0 });
    return (0,html/* html */.q) `<h2>Result</h2>
<pre class="result" dir="auto" tabindex="0">${(0,terminal_text/* terminalText */.eR)(said)}</pre>${result.truncated &&
        (0,html/* html */.q) `<p class="quiet">This is only the beginning. <code>GET ${address}</code> returns ${result.left_out_bytes === undefined ? 'all of it' : 'all that was kept'}.</p>`}`;
}

;// CONCATENATED MODULE: ./build/js/web/run-page.js








/** The page of one run, complete without scripts. With scripts it follows the run until it ends. */
function renderRunPage({ run, version, events, isNewest, token, nowMs }) {
    const first = events[0]?.seq ?? 1;
    const last = events.at(-1)?.seq ?? 0;
    const query = `?token=${encodeURIComponent(token)}`;
    const isLive = isNewest && !(0,tables_state/* isFinal */.dR)(run.state);
    const standing = isNewest
        ? isLive
            ? `As of ${printMoment(new Date(nowMs).toISOString())}.`
            : 'The run is over.'
        : `Entries ${first} to ${last} of ${run.last_seq}.`;
    const { base_prompt, output_schema } = run.agent_config;
    return renderDocument({
        title: runTitle(run),
        root: '../',
        live: isLive ? { after: last, version } : undefined,
        body: (0,html/* html */.q) `
<h1 dir="auto">${(0,terminal_text/* revealControls */.wy)(run.title)}</h1>
<p class="quiet id"><code>${run.run_id}</code></p>
${renderRunHead(run, { nowMs, token })}
<section>
<h2>Prompt</h2>
${run.prompt === '' ? (0,html/* html */.q) `<p class="quiet">None. The skill is the task.</p>` : renderLongText((0,terminal_text/* revealControls */.wy)(run.prompt))}
</section>${base_prompt !== undefined && renderText('Base prompt', base_prompt)}${output_schema !== undefined && renderText('Output schema', JSON.stringify(output_schema, null, 2))}
<section>
<h2>Log</h2>
<p class="quiet">Times are UTC.</p>
<p id="earlier" class="quiet"${first === 1 && (0,html/* html */.q) ` hidden`}><span>${(first - 1).toLocaleString('en')}</span> earlier entries are not shown. <a href="${query}&amp;before=${first}">Show earlier entries</a></p>
<ol id="log" class="log">
${renderEvents(events)}</ol>
</section>
<div class="bar"><p id="live" role="status" data-mood="${isLive ? 'live' : 'over'}">${standing}</p>${isLive && (0,html/* html */.q) `<noscript><p>JavaScript is off, so this page reloads itself.</p></noscript>`}${isNewest ? (0,html/* html */.q) `<a href="#end">Jump to end</a>` : (0,html/* html */.q) `<a href="${query}">Show newest</a>`}</div>
<div id="end"></div>
`,
    });
}
function renderText(title, text) {
    return (0,html/* html */.q) `
<section>
<h2>${title}</h2>
${renderLongText((0,terminal_text/* revealControls */.wy)(text))}
</section>`;
}

;// CONCATENATED MODULE: ./build/js/web/index.js
/** Pages as functions of data, rendered on the server. Send `pageHeaders` with each. */







;// CONCATENATED MODULE: ./build/js/server/http/pages.js











/** The longest time that `…/live` holds a request. */
const liveSeconds = 25;
/** A page shows the newest events up to this size, and at most as many as a page of the API. */
const shownBytes = 1024 * 1024;
/** Pages for browsers. Pages of runs need the run's signed link. The others contain nothing about runs. */
function addPages(app, parts) {
    app.get('/', c => answerPage(c, renderHomePage()));
    app.get('/errors', c => answerPage(c, renderErrorsPage()));
    app.get('/errors/:code', c => {
        const code = c.req.param('code');
        const row = findErrorCode(code);
        return row === undefined ? answerPage(c, renderUnknownErrorPage(code), 404) : answerPage(c, renderErrorPage(row));
    });
    app.get('/runs/:runId', handleRunPage(parts));
    app.get('/runs/:runId/live', handleRunNews(parts));
    app.get('/runs/:runId/artifacts/:artifactUid', handlePageFile(parts));
}
/** GET /runs/{runId}?token=…: the run with its newest events, or with `before=SEQ` those before that one. */
function handleRunPage(parts) {
    return async (c) => {
        const run = await readLinkedRun(parts, c);
        if (run === undefined)
            return answerPage(c, renderLinkNeededPage(), 403);
        const asked = /^[1-9]\d{0,14}$/.exec(c.req.query('before') ?? '')?.[0];
        const before = Math.min(Number(asked ?? Infinity), run.lastSeq + 1);
        const after = Math.max(0, before - 1 - sizes/* sizes */.L.eventLimit);
        const events = await parts.store.readEvents(run.runId, after, before - 1 - after);
        const page = renderRunPage({
            run: await viewForPage(parts, run),
            version: run.version,
            events: keepNewest(events),
            isNewest: asked === undefined,
            token: c.req.query('token') ?? '',
            nowMs: parts.clock.now(),
        });
        return answerPage(c, page);
    };
}
/**
 * GET /runs/{runId}/live?token=…&after=SEQ&version=N: the changes since then, as JSON for the page's script. Waits
 * for them unless `wait=no`. A page does not renew the run's lease.
 */
function handleRunNews(parts) {
    return async (c) => {
        const found = await readLinkedRun(parts, c);
        if (found === undefined)
            return answerPage(c, renderLinkNeededPage(), 403);
        const { after, limit } = parseQuery(eventQuerySchema, { after: c.req.query('after') });
        const version = c.req.query('version');
        const run = await parts.waiters.wait({
            run: found,
            callerUid: undefined,
            waitMs: c.req.query('wait') === 'no' ? 0 : liveSeconds * 1000,
            signal: c.req.raw.signal,
            isReady: latest => latest.lastSeq > after ||
                (0,tables_state/* isFinal */.dR)(latest.state) ||
                (version !== undefined && version !== String(latest.version)),
        });
        const { events, next_after, done } = await readEventPage(parts.store, { run, after, limit });
        const answer = {
            head: String(await renderRunHead(await viewForPage(parts, run), {
                nowMs: parts.clock.now(),
                token: c.req.query('token') ?? '',
            })),
            events: String(await renderEvents(events)),
            next_after,
            version: run.version,
            done,
        };
        return c.json(answer, 200, pageHeaders);
    };
}
/** GET /runs/{runId}/artifacts/{artifactUid}?token=…: a file of the run. The page's token opens it. */
function handlePageFile(parts) {
    return async (c) => {
        const run = await readLinkedRun(parts, c);
        if (run === undefined)
            throw new RequestError('not_authorized', "this link has expired or is incomplete; open the run's page again");
        const uid = (c.req.param('artifactUid') ?? '').toLowerCase();
        const artifact = run.artifacts.find(({ type, data }) => type === 'FILE' && data.artifact_uid === uid);
        if (artifact === undefined)
            throw new RequestError('resource_not_found', 'the run has no file with this id');
        return await answerFile(c, parts.artifactFile(run.runId, uid), artifact);
    };
}
async function viewForPage({ store, environments, harnesses }, run) {
    return viewRun(run, { sessionLink: '', environments, harnesses, usage: await store.readUsage(run.runId) });
}
/** Finds the run in the address if the token is valid for it. */
async function readLinkedRun({ store, links }, c) {
    const runId = (c.req.param('runId') ?? '').toLowerCase();
    return (0,validate/* default */.A)(runId) && links.isValid(runId, c.req.query('token')) ? store.readRun(runId) : undefined;
}
function answerPage(c, page, status = 200) {
    return c.html(page, status, pageHeaders);
}
function keepNewest(events) {
    let bytes = 0;
    const firstKept = events.findLastIndex(event => {
        bytes += JSON.stringify(event.data).length;
        return bytes > shownBytes;
    });
    return events.slice(Math.min(firstKept + 1, events.length - 1));
}

;// CONCATENATED MODULE: ./build/js/server/http/redirect-routes.js

/** GET /agent/sessions/{sessionUuid}/redirect: `{}` for an unknown session. */
function handleRedirectSession({ store }) {
    return async (c) => {
        const run = await store.findSession(c.req.param('sessionUuid') ?? '');
        return c.json(run !== undefined && (0,tables_state/* isFinal */.dR)(run.state) ? { conversation_id: run.conversationId } : {});
    };
}
/** GET /agent/conversations/{conversationId}/redirect: `{}` for an unknown conversation. */
function handleRedirectConversation({ store }) {
    return async (c) => {
        const run = await store.findNewest((c.req.param('conversationId') ?? '').toLowerCase());
        const session = run?.continuation?.sessionId;
        return c.json(run === undefined || session === undefined || (0,tables_state/* isFinal */.dR)(run.state) ? {} : { session_id: session });
    };
}

;// CONCATENATED MODULE: ./build/js/server/http/request-middleware.js




/** Gives every answer a request id (the caller's, if valid) and lists this server's features. */
function announce({ publicUrl }) {
    return async function announceFeatures(c, next) {
        const given = c.req.header(tables_headers/* headerNames */.Qb.requestId);
        const requestId = given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : (0,external_node_crypto_.randomUUID)();
        c.set('requestId', requestId);
        c.set('publicUrl', publicUrl());
        c.header(tables_headers/* headerNames */.Qb.requestId, requestId);
        c.header(tables_headers/* headerNames */.Qb.features, tables_headers/* serverFeatures */.lE.join(', '));
        c.header('X-Content-Type-Options', 'nosniff');
        c.header('Cache-Control', 'no-store');
        await next();
    };
}
/** Logs one debug line per request, without its query (which may contain a token), headers or body. */
function logRequests({ log }) {
    return async function logRequest(c, next) {
        const startedAt = performance.now();
        await next();
        const ms = Math.round(performance.now() - startedAt);
        log('debug', 'request', {
            method: c.req.method,
            path: c.req.path,
            status: c.res.status,
            ms,
            request: c.get('requestId'),
        });
    };
}
/** The GET handler answers HEAD, and the framework drops the body. An unread file or stream would stay open. */
const closeUnread = async (c, next) => {
    await next();
    if (c.req.method === 'HEAD')
        await (0,answers/* cancelBody */.r0)(c.res);
};
/** Gives the same answer for every invalid key. */
function authenticate({ keys }) {
    return async function requireKey(c, next) {
        const caller = keys.findCaller(c.req.header('Authorization'));
        if (caller === undefined)
            throw new RequestError('authentication_required', 'send "Authorization: Bearer KEY" with a key of this server', {
                headers: { 'WWW-Authenticate': 'Bearer' },
            });
        c.set('caller', caller);
        await next();
    };
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/followup-route.js







/** POST /agent/runs/{runId}/followups: continues a BLOCKED run with a message. */
function handleSendFollowup(parts) {
    return async (c) => {
        const { runId } = await findRun(parts, c);
        const json = await readJsonBody(c.req.raw, parts.limits.body_bytes);
        const { message, mode } = parseWith(followupSchema, json);
        if (mode !== undefined && mode !== 'normal')
            throw new RequestError('operation_not_supported', 'this server does not support `mode`; remove it');
        if (parts.isDraining())
            throw new RequestError('resource_unavailable', 'the server is stopping and does not continue runs');
        const { uid } = c.get('caller');
        const idempotency = readIdempotencyKey(c.req.header(tables_headers/* headerNames */.Qb.idempotencyKey), json);
        const outcome = await parts.store.sendFollowup(runId, { message, creatorUid: uid, idempotency });
        if (outcome === 'not_blocked')
            throw rejectFollowup(await findRun(parts, c));
        if (outcome === 'key_conflict')
            throw new RequestError('operation_not_supported', `nothing was sent: this ${tables_headers/* headerNames */.Qb.idempotencyKey} was used before with a different message to this run; use a new key for a new message`);
        if (outcome === 'replayed')
            c.header(tables_headers/* headerNames */.Qb.idempotentReplayed, 'true');
        else
            parts.log('info', 'run answered', { run: runId, caller: uid });
        return c.json({});
    };
}
function rejectFollowup({ state, conversationId }) {
    const next = `start a new run with conversation_id ${conversationId}`;
    if ((0,tables_state/* isFinal */.dR)(state))
        return new RequestError('invalid_request', `the run is over (${state}); ${next}`);
    return new RequestError('operation_not_supported', `the run is ${state}, and agents on this server do not accept messages while they work; wait until it is BLOCKED, or wait for it to end and then ${next}`);
}

;// CONCATENATED MODULE: ./build/js/server/http/runs/run-waiters.js

/** A wait that begins or ends reads the run again if the last read is older. So a lost wake costs at most one wait. */
const trustMs = 5000;
/**
 * Requests that wait for changes of runs. A changed run is read once for all that wait for it, and they get the same
 * object. While nothing changes, a wait costs a timer, of which Node keeps one for all of the same length.
 */
class RunWaiters {
    #parts;
    #watched = new Map();
    #stopListening;
    constructor(parts) {
        this.#parts = parts;
        this.#stopListening = parts.store.onChange(runId => this.#watched.get(runId)?.lookAgain());
        parts.stopping.addEventListener('abort', this.#endAll);
    }
    /** Resolves with the run once it is ready, its time is over, the client has left or the server stops. */
    wait(wait) {
        const { runId } = wait.run;
        let watched = this.#watched.get(runId);
        if (watched === undefined) {
            watched = new WatchedRun(this.#parts, wait.run, () => this.#watched.delete(runId));
            this.#watched.set(runId, watched);
        }
        return watched.add(wait);
    }
    close() {
        this.#stopListening();
        this.#parts.stopping.removeEventListener('abort', this.#endAll);
    }
    #endAll = () => {
        for (const watched of this.#watched.values())
            watched.endAll();
    };
}
/** A run that at least one request waits for. */
class WatchedRun {
    #parts;
    #onUnwatched;
    #waiters = new Set();
    #latest;
    #readAtMs = -Infinity;
    /** Something has changed since the last read began. */
    #isStale = false;
    #isLooking = false;
    #leaseTimer;
    #isRenewing = false;
    constructor(parts, run, onUnwatched) {
        this.#parts = parts;
        this.#latest = run;
        this.#onUnwatched = onUnwatched;
    }
    add({ run, callerUid, waitMs, signal, isReady }) {
        // The caller may have read a commit of which nobody was told yet.
        if (isNewer(run, this.#latest))
            this.#latest = run;
        return new Promise((resolve, reject) => {
            const end = () => {
                clearTimeout(timer);
                signal.removeEventListener('abort', leave);
                this.#waiters.delete(waiter);
                if (this.#waiters.size === 0)
                    this.#stop();
            };
            const waiter = {
                isReady,
                holdsLease: callerUid === run.creator.uid,
                isOver: waitMs <= 0 || signal.aborted || this.#parts.stopping.aborted,
                settle: latest => {
                    end();
                    resolve(latest);
                },
                fail: error => {
                    end();
                    reject(error);
                },
            };
            const leave = () => waiter.settle(this.#latest);
            const timer = setTimeout(() => {
                waiter.isOver = true;
                this.#check();
            }, waitMs);
            signal.addEventListener('abort', leave, { once: true });
            this.#waiters.add(waiter);
            this.#check();
        });
    }
    lookAgain() {
        this.#isStale = true;
        void this.#look();
    }
    endAll() {
        for (const waiter of this.#waiters)
            waiter.isOver = true;
        this.lookAgain();
    }
    /** Settles with what is known, or reads again if that may be old. A read in progress settles at its end. */
    #check() {
        if (this.#isLooking)
            return;
        if (this.#parts.clock.monotonicMs() - this.#readAtMs > trustMs)
            void this.#look();
        else
            this.#settle();
    }
    /** Never rejects. The waiters get its error. */
    async #look() {
        if (this.#isLooking)
            return;
        this.#isLooking = true;
        try {
            do {
                this.#isStale = false;
                const read = await this.#parts.store.readRun(this.#latest.runId);
                if (read !== undefined && !isNewer(this.#latest, read))
                    this.#latest = read;
                this.#readAtMs = this.#parts.clock.monotonicMs();
                this.#settle();
            } while (this.#isStale && this.#waiters.size > 0);
        }
        catch (error) {
            this.#fail(error, this.#waiters);
        }
        finally {
            this.#isLooking = false;
        }
    }
    #settle() {
        this.#holdLease();
        // The next read follows at once, and a stopping server answers with the last state.
        for (const waiter of this.#waiters)
            if ((waiter.isOver && !this.#isStale) || waiter.isReady(this.#latest))
                waiter.settle(this.#latest);
    }
    /** Renews the lease for the run's creator each time a third of it has passed. */
    #holdLease() {
        clearTimeout(this.#leaseTimer);
        const { runId, state, leaseExpiresAt, leaseSeconds, cancelRequestedAt } = this.#latest;
        if (this.#isRenewing || (0,tables_state/* isFinal */.dR)(state) || cancelRequestedAt !== undefined)
            return;
        if (leaseExpiresAt === undefined || leaseSeconds === undefined)
            return;
        if (![...this.#waiters].some(({ holdsLease }) => holdsLease))
            return;
        const dueMs = leaseExpiresAt - this.#parts.clock.now() - (leaseSeconds * 2000) / 3;
        if (dueMs > 0)
            this.#leaseTimer = setTimeout(() => this.#check(), dueMs);
        else
            void this.#renewLease(runId);
    }
    /** Never rejects. A new lease is a change, so the run is read again. */
    async #renewLease(runId) {
        this.#isRenewing = true;
        const renewed = await this.#parts.store.renewLease(runId).catch((error) => {
            // Others only watch.
            this.#fail(error, [...this.#waiters].filter(({ holdsLease }) => holdsLease));
        });
        this.#isRenewing = false;
        if (renewed !== undefined)
            this.#check();
    }
    #fail(error, waiters) {
        for (const waiter of waiters)
            waiter.fail(error);
    }
    #stop() {
        clearTimeout(this.#leaseTimer);
        this.#onUnwatched();
    }
}
/** The log grows without a new version, so its length counts too. */
function isNewer(run, other) {
    return run.version > other.version || run.lastSeq > other.lastSeq;
}

;// CONCATENATED MODULE: ./build/js/server/http/app.js


















/** The service as a function from a Request to a Response. */
function createApp(parts) {
    const waiters = new RunWaiters(parts);
    const handlers = { ...parts, waiters };
    const app = new hono_dist/* Hono */.$();
    app.onError((error, c) => {
        if (error instanceof RequestError)
            return answerProblem(c, error);
        if ((0,process_shortage/* findShortage */.J)(error) !== undefined) {
            parts.log('warn', 'a request failed because resources ran out', {
                request: c.get('requestId'),
                error: describeError(error),
            });
            const detail = 'the server is short of open files, processes or memory; try again later';
            return answerProblem(c, new RequestError('resource_unavailable', detail));
        }
        parts.log('error', 'a request failed', { request: c.get('requestId'), error: traceError(error) });
        return answerProblem(c, new RequestError('internal_error', `look up ${c.get('requestId')} in the server's log`));
    });
    app.notFound(c => answerProblem(c, refuseAddress(c.req.method, c.req.path)));
    app.use(closeUnread, announce(parts), logRequests(parts));
    const at = (id) => `${routes/* apiPrefix */.P8}${routes/* routes */.JZ[id].path.replace(/\{(\w+)\}/g, ':$1')}`;
    // Before authentication: published clients send no key here.
    app.get(at('redirectSession'), handleRedirectSession(handlers));
    app.get(at('redirectConversation'), handleRedirectConversation(handlers));
    app.use(`${routes/* apiPrefix */.P8}/*`, authenticate(parts));
    const createRun = createRunHandler(handlers);
    app.post(at('createRun'), createRun);
    app.post(at('createRunOldPath'), createRun);
    app.get(at('listRuns'), handleListRuns(handlers));
    app.get(at('readRun'), handleReadRun(handlers));
    app.post(at('cancelRun'), handleCancelRun(handlers));
    app.post(at('sendFollowup'), handleSendFollowup(handlers));
    app.put(at('renewLease'), handleRenewLease(handlers));
    app.delete(at('releaseLease'), handleReleaseLease(handlers));
    app.get(at('listEvents'), handleListEvents(handlers));
    app.get(at('readResult'), handleReadResult(handlers));
    app.get(at('listAgents'), handleListAgents(handlers));
    app.get(at('listEnvironments'), handleListEnvironments(handlers));
    app.get(at('readArtifact'), handleReadArtifact(handlers));
    app.get(at('downloadArtifact'), handleDownloadArtifact(handlers));
    app.get('/artifacts/:artifactUid', handleArtifactFile(handlers));
    app.get('/healthz', c => c.json({ status: 'ok' }));
    app.get('/readyz', async (c) => {
        if (parts.isDraining())
            return c.json({ status: 'stopping' }, 503);
        const reason = await parts.findUnready();
        return reason === undefined ? c.json({ status: 'ok' }) : c.json({ status: 'not ready', reason }, 503);
    });
    addOpenApi(app, parts);
    addPages(app, handlers);
    return { fetch: request => app.fetch(request), close: () => waiters.close() };
}
/** 405 with `Allow` if another method exists, otherwise 404. */
function refuseAddress(method, path) {
    const patterns = Object.values(routes/* routes */.JZ).map(route => ({
        method: route.method,
        pattern: new RegExp(`^${routes/* apiPrefix */.P8}${route.path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    }));
    const allowed = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(route => route.method))];
    if (allowed.length === 0 || allowed.some(known => known === method))
        return new RequestError('resource_not_found', `no route matches ${path}`);
    return new RequestError('method_not_allowed', `${path} supports ${allowed.join(', ')}, not ${method}`, {
        headers: { Allow: allowed.join(', ') },
    });
}

;// CONCATENATED MODULE: ./build/js/server/http/signed-links.js

const periodMs = 30 * 24 * 3_600_000;
const artifactMs = 3_600_000;
function createSessionLinks({ secret, clock }) {
    const tokens = createTokens({ secret, clock });
    return {
        pathFor(runId) {
            const expiresAt = (Math.floor(clock.now() / periodMs) + 2) * periodMs;
            return `/runs/${runId}?token=${tokens.make(runId, expiresAt)}`;
        },
        isValid: tokens.isValid,
    };
}
function createArtifactLinks({ secret, clock }) {
    const tokens = createTokens({ secret, clock });
    // A token for one kind of object must not open another kind.
    const nameOf = (uid) => `artifact ${uid}`;
    return {
        pathFor(uid) {
            const expiresAt = clock.now() + artifactMs;
            return { path: `/artifacts/${uid}?token=${tokens.make(nameOf(uid), expiresAt)}`, expiresAt };
        },
        isValid: (uid, token) => tokens.isValid(nameOf(uid), token),
    };
}
function createTokens({ secret, clock }) {
    const sign = (name, expiresAt) => (0,external_node_crypto_.createHmac)('sha256', secret).update(`${name}.${expiresAt}`).digest('base64url');
    return {
        make: (name, expiresAt) => `${expiresAt}.${sign(name, expiresAt)}`,
        isValid(name, token) {
            const [expiry = '', signature = ''] = (token ?? '').split('.');
            const expiresAt = Number(expiry);
            const expected = Buffer.from(sign(name, expiresAt));
            const given = Buffer.from(signature);
            return given.length === expected.length && (0,external_node_crypto_.timingSafeEqual)(given, expected) && expiresAt > clock.now();
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/low-memory.js
/** Agents run on Node.js and Bun, which reserve far more address space than they use. */
const agentMemoryMb = 2000;
/** Why agents may crash, in two parts: the cause and the remedy. Undefined if the limit is high enough. */
function low_memory_describeLowMemory({ limits: { memory_mb: memoryMb }, harnesses: { agents = {} }, docker, }) {
    const names = Object.keys(agents);
    // The limit applies only to processes of this machine.
    if (memoryMb === undefined || memoryMb >= agentMemoryMb || names.length === 0 || docker.image !== undefined)
        return undefined;
    return {
        text: `limits.memory_mb is ${memoryMb}, but agents reserve more than that at startup, so runs of ${names.join(', ')} can crash`,
        remedy: `raise it to at least ${agentMemoryMb}, or remove it`,
    };
}
/** Text after the message of a failed program. Out of memory, most die by a signal that does not name the limit. */
function explainCrash({ exitCode = 0, signal }, { memory_mb: memoryMb }) {
    const isCrash = signal !== undefined || exitCode > 128;
    if (memoryMb === undefined || memoryMb >= agentMemoryMb || !isCrash)
        return '';
    return `. limits.memory_mb is ${memoryMb}, and agents need ${agentMemoryMb} or more`;
}

;// CONCATENATED MODULE: ./build/js/server/skills/skill-source.js







const listedMax = 10;
/** Limits for a skill's folder. It may be a whole repository, and an agent may have filled it. */
const skill_source_entriesMax = 100_000;
const bytesMax = 1024 ** 3;
/**
 * Skills from local checkouts, then from GitHub. `repositories` maps `owner/repo`, in any case, to absolute paths of
 * checkouts.
 */
function createSkillSource(repositories, github) {
    const onGitHub = ({ owner, repo }) => findName(repositories, `${owner}/${repo}`) === undefined ? github?.spell(`${owner}/${repo}`) : undefined;
    const find = async (spec, signal) => {
        const remote = onGitHub(spec);
        if (remote !== undefined && github !== undefined)
            return await github.find(remote, spec, signal);
        const { repository, checkout } = await findCheckout(repositories, spec, github?.offered ?? []);
        const location = 'path' in spec.target
            ? ((await readSkill(checkout, spec.target.path)) ?? (await refuseAsMissingIn(checkout, repository, spec)))
            : await findByName(checkout, repository, spec, spec.target.name);
        const found = readFound({ repository, location, usualName: (0,skill_spec/* skillName */.F)(spec) });
        return {
            ...found,
            checkout,
            origin: `${repository}:${location.path}`,
            notes: [],
            copyTo: (to, options) => copyTree({ from: (0,external_node_path_.join)(checkout, found.folder), to, room: createRoom(found), ...options }),
        };
    };
    return {
        find,
        async refuse(spec) {
            if (onGitHub(spec) !== undefined)
                return undefined;
            try {
                await find(spec);
                return undefined;
            }
            catch (error) {
                if (error instanceof run_failure_RunFailure)
                    return error.code === 'resource_not_found' ? error.message : undefined;
                throw error;
            }
        },
    };
}
function createRoom({ repository, path }) {
    const fault = `the folder of ${repository}:${path} is too large to be copied: ${skill_source_entriesMax} files and ${bytesMax / 1024 ** 2} MiB are the most; remove files that are not part of the skill`;
    return { entries: skill_source_entriesMax, bytes: bytesMax, fault };
}
/** The name as spelled there. */
function findName(repositories, wanted) {
    return Object.keys(repositories).find(name => name.toLowerCase() === wanted.toLowerCase());
}
/** Why skills of a repository are unavailable if neither source offers it. */
function describeUnknown(wanted, { local, offered }) {
    const names = local.length === 0 ? 'none is named in skills.repositories' : `skills.repositories names ${print(local)}`;
    const github = offered.length === 0 ? '' : `; from GitHub it reads ${print(offered)} (skills.github.repositories)`;
    return `this server has no checkout of ${wanted}; ${names}${github}`;
}
async function findCheckout(repositories, { owner, repo }, offered) {
    const wanted = `${owner}/${repo}`;
    const repository = findName(repositories, wanted);
    if (repository === undefined)
        throw notFound(describeUnknown(wanted, { local: Object.keys(repositories), offered }));
    const checkout = await (0,promises_.realpath)(repositories[repository] ?? '').catch(() => undefined);
    if (checkout === undefined)
        throw notFound(`the checkout of ${repository} is not where skills.repositories says`);
    return { repository, checkout };
}
async function findByName(checkout, repository, spec, name) {
    const usual = await findUsualSkill(checkout, name);
    if (usual !== undefined)
        return usual;
    const { skills } = await listSkills(checkout);
    const hits = skills.filter(skill => skill.folderName === name || skill.name === name);
    const [hit, ...more] = hits;
    if (hit === undefined)
        return refuseAsMissingIn(checkout, repository, spec);
    return more.length > 0 ? refuseAsAmbiguous(repository, name, hits) : hit;
}
/** Always throws RunFailure. */
function refuseAsAmbiguous(repository, name, hits) {
    throw new run_failure_RunFailure('invalid_request', `${repository} has ${hits.length} skills called ${name}: ${printPaths(hits)}; name one by its path, as in ${repository}:${hits[0]?.path}`);
}
async function refuseAsMissingIn(checkout, repository, spec) {
    return refuseAsMissing({ repository, spec, ...(await listSkills(checkout)), isLocal: true });
}
/** Says what was searched, where, and what exists there. Always throws RunFailure. */
function refuseAsMissing({ repository, spec: { target }, skills, isWhole, isLocal, }) {
    const what = 'path' in target ? `no file ${target.path}` : `no skill ${target.name}`;
    const file = isLocal
        ? 'it takes a file of at most 1 MiB that no link leads out of the checkout to'
        : 'on GitHub; it takes a file of at most 1 MiB, and links are not followed';
    const where = 'path' in target
        ? file
        : `looked for ${target.name}/SKILL.md in ${usualFolders.join(', ')}, then for any SKILL.md of that name up to four folders deep${isLocal ? '' : ', on GitHub'}`;
    const there = skills.length === 0 ? 'it has no skill at all' : `its skills: ${printPaths(skills)}`;
    throw notFound(`${repository} has ${what} (${where}); ${there}${isWhole ? '' : ' (not all of its folders were looked at: there are too many)'}`);
}
/** Parses the file of a skill. Throws RunFailure if its front matter is invalid. */
function readFound({ repository, location: { path, text }, usualName, }) {
    try {
        return { ...parseSkillFile(text, usualName), repository, path, folder: (0,external_node_path_.dirname)(path), text };
    }
    catch (error) {
        if (!(error instanceof SkillFileError))
            throw error;
        throw new run_failure_RunFailure('environment_setup_failed', `the front matter of ${repository}:${path} is not valid: ${error.message}`);
    }
}
function printPaths(skills) {
    return print(skills.map(({ path }) => path));
}
function print(names) {
    const shown = names.slice(0, listedMax);
    return [...shown, ...(names.length > listedMax ? [`and ${names.length - listedMax} more`] : [])].join(', ');
}
function notFound(message) {
    return new run_failure_RunFailure('resource_not_found', message);
}

;// CONCATENATED MODULE: ./build/js/server/skills/github-skills.js











/** Time limit for one request to GitHub. */
const limitMs = 60_000;
const listAgeMs = 60_000;
/** Includes files that are read to learn the names in their front matter. */
const listMax = 100;
const folderBytesMax = 8 * 1024 * 1024;
/**
 * Skills of repositories on GitHub, read by git. Lists and skills are stored separately. They are not fetched again
 * while the last commit is the same, and are used while GitHub is unreachable.
 */
function createGitHubSkills({ repositories, url, git }, { executor, searchPath, dataDir }) {
    const { host } = new URL(url);
    /** When GitHub was last asked about a stored file, in ms. */
    const askedAt = new Map();
    const look = async ({ repository, name, maxAgeMs = 0, signal = new AbortController().signal }, read) => {
        const file = (0,external_node_path_.join)(dataDir, 'skills', encodeURIComponent(url), repository.toLowerCase(), `${name}.json`);
        const kept = await readKept(file);
        if (kept !== undefined && Date.now() - (askedAt.get(file) ?? 0) < maxAgeMs)
            return kept;
        const deadline = AbortSignal.timeout(limitMs);
        const bounds = { timeLimitMs: limitMs, graceMs: 1000, signal: AbortSignal.any([signal, deadline]) };
        try {
            return await run_folder_inPassingFolder(async (folder) => {
                const place = { runId: `skills.${(0,external_node_crypto_.randomUUID)()}`, runDir: folder.root, scratchDir: folder.state };
                const execute = (command, onOutput) => executor.execute({ ...place, ...bounds, command, onOutput });
                const address = `${url}/${repository}.git`;
                const parts = { folder, searchPath, git, signal: bounds.signal, url: address, execute };
                const commit = await github_tree_readHead(parts);
                askedAt.set(file, Date.now());
                if (kept?.commit === commit)
                    return kept;
                await fetchTree(parts, commit);
                const fresh = { commit, value: await read(parts, commit) };
                await keep(file, fresh);
                return fresh;
            }, dataDir);
        }
        catch (error) {
            signal.throwIfAborted();
            const late = `${host} did not answer everything within ${limitMs / 1000} s`;
            const fault = deadline.aborted ? new github_fault_GitHubFault('resource_unavailable', late) : error;
            if (fault instanceof github_fault_GitHubFault && fault.code === 'resource_unavailable' && kept !== undefined) {
                const note = `${fault.message}; using the last copy of ${repository}, at ${kept.commit.slice(0, 7)}`;
                return { ...kept, note };
            }
            // A removed skill must not come back while GitHub is down.
            if (fault instanceof run_failure_RunFailure && !(fault instanceof github_fault_GitHubFault))
                await (0,promises_.rm)(file, { force: true });
            if (!(fault instanceof github_fault_GitHubFault || fault instanceof GitFault))
                throw fault;
            const code = fault instanceof github_fault_GitHubFault ? fault.code : 'environment_setup_failed';
            throw new run_failure_RunFailure(code, `the skills of ${repository} cannot be read from GitHub: ${fault.message}`);
        }
    };
    return {
        offered: repositories,
        spell(repository) {
            const wanted = repository.toLowerCase();
            const all = `${wanted.slice(0, wanted.indexOf('/'))}/*`;
            const exact = repositories.find(name => name.toLowerCase() === wanted);
            return exact ?? (repositories.some(name => name.toLowerCase() === all) ? repository : undefined);
        },
        async find(repository, spec, signal) {
            const name = (0,external_node_crypto_.createHash)('sha256').update(JSON.stringify(spec.target)).digest('hex');
            const wanted = { repository, spec };
            const seen = await look({ repository, name, signal }, (parts, commit) => github_skills_readSkill(parts, commit, wanted));
            return describeSkill(seen, wanted);
        },
        async list(repository, { isFresh = false, signal } = {}) {
            const asked = { repository, name: 'list', maxAgeMs: isFresh ? 0 : listAgeMs, signal };
            const { value } = await look(asked, async (parts, commit) => readSkillFiles(parts, (await listTreeSkills(parts, commit)).filter(isNearTop)));
            return value.map(file => ({
                path: file.path,
                folderName: nameFolder(repository, file),
                text: github_skills_readText(file),
            }));
        },
    };
}
/** Throws RunFailure if no skill matches, if several do, or if its folder is too large. */
async function github_skills_readSkill(parts, commit, wanted) {
    const skills = await listTreeSkills(parts, commit);
    const { path } = await findSkill(parts, skills, wanted);
    const { files, fileCount, leftOut } = await listTreeFolder(parts, commit, (0,external_node_path_.dirname)(path));
    // Too many are not fetched.
    const fetched = fileCount > filesMax ? [] : await fetchFiles(parts, files);
    const bytes = fetched.reduce((sum, { size }) => sum + size, 0);
    if (fileCount > filesMax || bytes > folderBytesMax) {
        const size = bytes === 0 ? '' : ` of ${Math.ceil(bytes / 1024)} KiB together`;
        throw new run_failure_RunFailure('environment_setup_failed', `the folder of ${wanted.repository}:${path} has ${fileCount} files${size}; from GitHub come ${filesMax} files and ${folderBytesMax / 1024} KiB at most. Name a checkout of it in skills.repositories`);
    }
    if (fetched.some(file => file.path === fileName && file.size > fileBytesMax))
        refuseMissing(skills, wanted);
    return { path, files: await readFiles(parts, fetched), leftOut };
}
async function findSkill(parts, skills, wanted) {
    const { repository, spec } = wanted;
    const { target } = spec;
    const at = (path) => skills.find(skill => skill.path === path);
    if ('path' in target)
        return at(target.path) ?? refuseMissing(skills, wanted);
    const usual = usualFolders.flatMap(folder => at(`${folder}/${target.name}/${fileName}`) ?? []);
    if (usual[0] !== undefined)
        return usual[0];
    const near = skills.filter(isNearTop);
    const ofFolder = near.filter(skill => nameFolder(repository, skill) === target.name);
    const named = async () => {
        const texts = await readSkillFiles(parts, near);
        const hits = texts.filter(file => readName(github_skills_readText(file), nameFolder(repository, file)) === target.name);
        return hits.flatMap(({ path }) => at(path) ?? []);
    };
    const hits = ofFolder.length > 0 ? ofFolder : await named();
    const [hit, ...more] = hits;
    if (hit === undefined)
        return refuseMissing(skills, wanted);
    return more.length > 0 ? refuseAsAmbiguous(repository, target.name, hits) : hit;
}
function refuseMissing(skills, wanted) {
    return refuseAsMissing({ ...wanted, skills: skills.filter(isNearTop), isWhole: true, isLocal: false });
}
/** The first ones, without those that are too large. */
async function readSkillFiles(parts, skills) {
    const fetched = await fetchFiles(parts, skills.slice(0, listMax));
    const usable = fetched.filter(({ size }) => size <= fileBytesMax);
    return await readFiles(parts, usable);
}
function describeSkill({ commit, note, value: { path, files, leftOut } }, { repository, spec }) {
    const text = github_skills_readText(files.find(file => file.path === fileName));
    const left = `${repository}:${path}: skipped links and submodules in its folder (${leftOut})`;
    return {
        ...readFound({ repository, location: { path, text }, usualName: (0,skill_spec/* skillName */.F)(spec) }),
        checkout: undefined,
        origin: `${repository}:${path} at ${commit.slice(0, 7)}`,
        notes: [...(note === undefined ? [] : [note]), ...(leftOut === 0 ? [] : [left])],
        async copyTo(to, { signal }) {
            for (const file of files) {
                signal.throwIfAborted();
                const target = (0,external_node_path_.join)(to, file.path);
                await (0,promises_.mkdir)((0,external_node_path_.dirname)(target), { recursive: true });
                await (0,promises_.writeFile)(target, Buffer.from(file.base64, 'base64'));
                if (file.isExecutable)
                    await (0,promises_.chmod)(target, 0o755);
            }
        },
    };
}
function github_skills_readText(file) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(file?.base64 ?? '', 'base64'));
}
function nameFolder(repository, { path }) {
    const folder = (0,external_node_path_.dirname)(path);
    return (0,external_node_path_.basename)(folder === '.' ? repository : folder);
}
async function readKept(file) {
    try {
        return JSON.parse(await (0,promises_.readFile)(file, 'utf8'));
    }
    catch {
        return undefined;
    }
}
async function keep(file, look) {
    await (0,promises_.mkdir)((0,external_node_path_.dirname)(file), { recursive: true, mode: 0o700 });
    const made = `${file}.${(0,external_node_crypto_.randomUUID)()}`;
    await (0,promises_.writeFile)(made, JSON.stringify(look), { mode: 0o600 });
    await (0,promises_.rename)(made, file);
}

;// CONCATENATED MODULE: ./build/js/server/skills/skill-list.js





/** Lists skills in the shape of the public API: skills with the same name form one entry. */
function createSkillList({ repositories, github, environments, }) {
    const readLocal = async (repository) => {
        const { skills } = await listSkills(repositories[repository] ?? '');
        return skills.map(skill => ({ repository, ...skill }));
    };
    const read = async ({ repo, isFresh, signal }) => {
        if (repo === undefined)
            return (await Promise.all(Object.keys(repositories).map(readLocal))).flat();
        const local = findName(repositories, repo);
        if (local !== undefined)
            return await readLocal(local);
        const remote = github?.spell(repo);
        if (github !== undefined && remote !== undefined)
            return (await github.list(remote, { isFresh, signal })).map(skill => ({ repository: remote, ...skill }));
        const known = { local: Object.keys(repositories), offered: github?.offered ?? [] };
        throw new run_failure_RunFailure('resource_not_found', describeUnknown(repo, known));
    };
    return async (query) => {
        try {
            const found = (await read(query)).map(skill => skill_list_describe(skill, environments));
            const shown = found.filter(({ variant }) => query.withMalformed || variant.error === undefined);
            const agents = [...Map.groupBy(shown, ({ name }) => name)].map(([name, entries]) => ({
                name,
                variants: entries.map(({ variant }) => variant).toSorted((a, b) => skill_list_compare(a.id, b.id)),
            }));
            return { agents: agents.toSorted((a, b) => skill_list_compare(a.name, b.name)) };
        }
        catch (error) {
            if (!(error instanceof run_failure_RunFailure))
                throw error;
            const refused = error.code === 'resource_not_found' ? error.code : 'resource_unavailable';
            return { refused, message: error.message };
        }
    };
}
function skill_list_describe({ repository, path, folderName, text }, environments) {
    const [owner = '', name = ''] = repository.split('/');
    const place = {
        id: `${repository}:${path}`,
        environments: environments
            .filter(environment => findRepository(environment, repository) !== undefined)
            .map(environment => ({ uid: environment.uid, name: environment.name })),
        source: { owner, name, skill_path: path },
    };
    try {
        const read = parseSkillFile(text, folderName);
        return { name: read.name, variant: { ...place, base_prompt: read.body, description: read.description } };
    }
    catch (error) {
        if (!(error instanceof SkillFileError))
            throw error;
        const variant = {
            ...place,
            base_prompt: text,
            description: '',
            error: `its front matter is not valid: ${error.message}`,
        };
        return { name: folderName, variant };
    }
}
function skill_list_compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

;// CONCATENATED MODULE: ./build/js/server/store/data-folder.js



/** Finds or makes the data folder, private to its owner. Throws with a sentence if it is not a writable folder. */
function openDataFolder(folder) {
    try {
        makeFolders(folder);
        (0,external_node_fs_.accessSync)(folder, external_node_fs_.constants.R_OK | external_node_fs_.constants.W_OK | external_node_fs_.constants.X_OK);
    }
    catch (error) {
        throw new Error(`the data folder ${folder} cannot be used: ${folder_fault_explainFolder(error)}; choose another folder with --data`, {
            cause: error,
        });
    }
    closeToOthers(folder);
}
/** The folder contains prompts, results and links, and the modes of its files do not restrict readers. */
function closeToOthers(folder) {
    const { mode } = (0,external_node_fs_.statSync)(folder);
    if (process.platform === 'win32' || (mode & 0o077) === 0)
        return;
    if ((mode & 0o1000) !== 0)
        throw new Error(`the data folder ${folder} is shared by all users of this machine; choose another with --data, or run chmod 700 ${folder} if it is only for the server`);
    try {
        (0,external_node_fs_.chmodSync)(folder, 0o700);
    }
    catch (error) {
        throw new Error(`other users of this machine can open the data folder ${folder}; run chmod 700 ${folder}`, {
            cause: error,
        });
    }
}
/** Makes one level at a time. Node's `recursive` never returns in a folder that accepts no entries, such as /proc. */
function makeFolders(folder) {
    const found = (0,external_node_fs_.statSync)(folder, { throwIfNoEntry: false });
    if (found?.isDirectory())
        return;
    if (found !== undefined)
        throw new Error(`${folder} is a file`);
    makeFolders((0,external_node_path_.dirname)(folder));
    (0,external_node_fs_.mkdirSync)(folder, { mode: 0o700 });
}

// EXTERNAL MODULE: external "node:sqlite"
var external_node_sqlite_ = __webpack_require__(99);
;// CONCATENATED MODULE: ./build/js/base/process/folder-lock.js
/**
 * Tells whether a server uses a data folder: a server holds an exclusive transaction on a file there while it runs.
 */


function isDataFolderLocked(folder) {
    let database;
    try {
        database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0, readOnly: true });
        database.exec('SELECT count(*) FROM sqlite_master');
        return false;
    }
    catch (error) {
        return isBusy(error);
    }
    finally {
        database?.close();
    }
}
/** SQLITE_BUSY is the only fault that means "locked". */
function isBusy(error) {
    return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

;// CONCATENATED MODULE: ./build/js/server/store/data-lock.js





class DataFolderInUseError extends Error {
    name = 'DataFolderInUseError';
}
/**
 * Holds an exclusive lock on a data folder for the server's life. Node has no file locks, so this uses SQLite's: an
 * open exclusive transaction on a separate file. The kernel drops it however the process ends. Throws
 * DataFolderInUseError if another server holds it.
 */
function lockDataFolder(folder) {
    const file = (0,external_node_path_.join)(folder, 'lock.sqlite');
    const holder = (0,external_node_path_.join)(folder, 'server.pid');
    let database;
    try {
        // A command that checks for a running server holds a shared lock for a moment.
        database = new external_node_sqlite_.DatabaseSync(file, { timeout: 300 });
        database.exec('BEGIN EXCLUSIVE');
        (0,external_node_fs_.writeFileSync)(holder, `${process.pid}\n`);
    }
    catch (error) {
        database?.close();
        throw isBusy(error) ? inUse(folder, holder, error) : new Error(data_lock_explainFault(file, error), { cause: error });
    }
    const held = database;
    return {
        release() {
            (0,external_node_fs_.rmSync)(holder, { force: true });
            held.exec('ROLLBACK');
            held.close();
        },
    };
}
function inUse(folder, holder, cause) {
    return new DataFolderInUseError(`the data folder ${folder} is in use by another server${readHolder(holder)}; stop it, or choose another folder with --data`, { cause });
}
function data_lock_explainFault(file, error) {
    const why = (0,cause/* messageOf */.bD)(error);
    const remedy = /not a database|malformed/.test(why)
        ? 'the file holds only a lock, so remove it'
        : 'check that the folder is writable and the disk has free space';
    return `cannot lock the data folder with ${file}: ${why}; ${remedy}`;
}
function readHolder(file) {
    try {
        return ` (process ${(0,external_node_fs_.readFileSync)(file, 'utf8').trim()})`;
    }
    catch {
        return '';
    }
}

// EXTERNAL MODULE: ./node_modules/kysely/dist/raw-builder/sql.js + 1 modules
var sql = __webpack_require__(189);
;// CONCATENATED MODULE: ./build/js/base/turns.js

/** Lets long works take turns: one step in each turn of the event loop, so that others come in between. */
class Turns {
    #last = Promise.resolve();
    /** Resolves when the caller may take its next step. */
    next() {
        this.#last = this.#last.then(() => (0,external_node_timers_promises_.setImmediate)());
        return this.#last;
    }
}

;// CONCATENATED MODULE: ./build/js/server/store/write-fault.js



/** With less free space than one request may take, the next run may not fit. */
const leastFreeBytes = sizes/* sizes */.L.bodyBytes;
/** Checks the free space in the folder, then writes. Returns why nothing can be written, or undefined. */
async function findWriteFault(queue, { folder, now }) {
    try {
        const space = folder === undefined ? undefined : await (0,promises_.statfs)(folder);
        // Some file systems do not report sizes.
        if (space !== undefined && space.blocks > 0 && space.bavail * space.bsize < leastFreeBytes)
            return `the disk of the data folder is full: less than ${leastFreeBytes / 1024 / 1024} MiB is free`;
        await queue.run(async ({ database }) => {
            await database
                .replaceInto('settings')
                .values({ name: 'written_at', value: String(now) })
                .execute();
        });
        return undefined;
    }
    catch (error) {
        return `cannot write to the data folder: ${describeError(error)}`;
    }
}

// EXTERNAL MODULE: external "node:perf_hooks"
var external_node_perf_hooks_ = __webpack_require__(643);
;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-rows.js
/** The columns of a run, without the text of its result. */
const listColumns = [
    'runId',
    'state',
    'attempt',
    'version',
    'title',
    'prompt',
    'config',
    'skill',
    'source',
    'triggerUrl',
    'metadata',
    'checkout',
    'conversationId',
    'continuation',
    'interactive',
    'artifacts',
    'creatorUid',
    'creatorName',
    'statusMessage',
    'createdAt',
    'updatedAt',
    'startedAt',
    'finishedAt',
    'workedMs',
    'cancelRequestedAt',
    'cancelReason',
    'leaseSeconds',
    'leaseExpiresAt',
    'lastSeq',
];
/** Maps a row to a run. JSON columns were validated when written. */
function runOfRow(row) {
    return {
        runId: row.runId,
        state: row.state,
        attempt: row.attempt,
        version: row.version,
        title: row.title,
        prompt: row.prompt,
        config: JSON.parse(row.config),
        skill: readJson(row.skill),
        source: row.source,
        triggerUrl: row.triggerUrl ?? undefined,
        metadata: readJson(row.metadata),
        checkout: readJson(row.checkout),
        conversationId: row.conversationId,
        continuation: readJson(row.continuation),
        isInteractive: row.interactive === 1,
        followup: row.followup ?? undefined,
        creator: { uid: row.creatorUid, displayName: row.creatorName },
        statusMessage: readJson(row.statusMessage),
        result: resultOfRow(row),
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
        startedAt: row.startedAt ?? undefined,
        finishedAt: row.finishedAt ?? undefined,
        workedMs: row.workedMs ?? undefined,
        cancelRequestedAt: row.cancelRequestedAt ?? undefined,
        cancelReason: row.cancelReason ?? undefined,
        leaseSeconds: row.leaseSeconds ?? undefined,
        leaseExpiresAt: row.leaseExpiresAt ?? undefined,
        artifacts: artifactsOf(row.artifacts),
        lastSeq: row.lastSeq,
    };
}
function resultOfRow({ resultHead, resultTruncated, resultStructured, resultLeftOutBytes: leftOutBytes, }) {
    if (typeof resultHead !== 'string')
        return undefined;
    const structured = readJson(resultStructured ?? null);
    return {
        text: resultHead,
        truncated: resultTruncated === 1,
        ...(typeof leftOutBytes === 'number' ? { left_out_bytes: leftOutBytes } : {}),
        ...(structured === undefined ? {} : { structured }),
    };
}
function artifactsOf(json) {
    return readJson(json) ?? [];
}
function eventOfRow(row) {
    return { seq: row.seq, at: new Date(row.at).toISOString(), type: row.type, data: JSON.parse(row.data) };
}
function readJson(text) {
    return text === null ? undefined : JSON.parse(text);
}

// EXTERNAL MODULE: ./node_modules/kysely/dist/expression/expression-builder.js + 6 modules
var expression_builder = __webpack_require__(6395);
;// CONCATENATED MODULE: ./build/js/server/store/sqlite/lists/list-order.js



/**
 * Columns with the sort keys of a list. Texts are cut, because the page's last key is part of a cursor that must fit
 * in a URL. Each key but `updatedAt` stays constant for a run's life. Thus `agent` sorts by `skill_spec`: the skill's
 * name is known only later.
 */
const sortKeys = {
    updated_at: 'updatedAt',
    created_at: 'createdAt',
    title: 'titleKey',
    agent: 'agentKey',
};
const where = (0,expression_builder/* expressionBuilder */.A)();
/**
 * Splits an order into parts that an index can read. In both directions, runs without a key come last; NULLS LAST would
 * keep an ascending list from its index.
 */
function splitOrder({ sort_by }, after) {
    if (sort_by !== 'agent')
        return [{ within: [], ranges: [] }];
    const withoutKey = { within: [where('agentKey', 'is', null)], ranges: [] };
    // SQLite reads it as "greater than NULL".
    const hasKey = { condition: where('agentKey', 'is not', null), operator: '>=', value: undefined };
    return after?.value === null ? [withoutKey] : [{ within: [], ranges: [hasKey] }, withoutKey];
}
/** True if a run of the same part comes after the place. */
function isAfter(order, place) {
    return list_order_compare(order, order.sort_order === 'asc' ? '>' : '<', place);
}
/** True if a run of the same part does not come after the place. */
function isUpTo(order, place) {
    return list_order_compare(order, order.sort_order === 'asc' ? '<=' : '>=', place);
}
function list_order_compare({ sort_by }, operator, { value, id }) {
    return value === null
        ? where('runId', operator, id)
        : where(where.refTuple(sortKeys[sort_by], 'runId'), operator, where.tuple(value, id));
}
function printCursor({ sort_by, sort_order }, { value, id }) {
    return Buffer.from(JSON.stringify({ by: sort_by, order: sort_order, value, id })).toString('base64url');
}
/** Throws BadCursorError. */
function readCursor(text, { sort_by, sort_order }) {
    const bad = () => new BadCursorError('is not a cursor of this list; use page_info.next_cursor of a page in the same sort order');
    let cursor;
    try {
        cursor = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    }
    catch {
        throw bad();
    }
    if (!(0,json/* isObject */.Gv)(cursor) || !isSortValue(cursor.value, sort_by) || typeof cursor.id !== 'string')
        throw bad();
    if (cursor.by !== sort_by || cursor.order !== sort_order)
        throw bad();
    return { value: cursor.value, id: cursor.id };
}
function isSortValue(value, by) {
    if (by === 'agent')
        return typeof value === 'string' || value === null;
    return typeof value === (by === 'title' ? 'string' : 'number');
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/lists/list-filters.js



/** The filters of a list. Of the equalities, those that usually match the fewest runs come first. */
function splitFilter(filter) {
    const { environment_id: environment, state = [], q, artifact_type: artifact } = filter;
    const given = (value, make) => (value === undefined ? [] : [make(value)]);
    return [
        ...Object.entries(filter.metadata ?? {}).map(list_filters_metadataFilter),
        ...given(filter.skill_spec, value => equality(where('skillSpec', '=', value))),
        ...given(filter.name, value => equality(where('configName', '=', value))),
        ...given(environment, value => equality(value === emptyEnvironment ? where('environmentId', 'is', null) : where('environmentId', '=', value))),
        ...given(filter.model_id, value => equality(where('modelId', '=', value))),
        ...given(filter.creator, value => equality(where('creatorUid', '=', value))),
        ...stateFilters(state),
        ...given(filter.source, value => equality(where('source', '=', value))),
        ...given(filter.createdAfter, value => rangeFilter('created_at', '>=', value)),
        ...given(filter.createdBefore, value => rangeFilter('created_at', '<', value)),
        ...given(filter.updatedAfter, value => rangeFilter('updated_at', '>=', value)),
        ...given(artifact, value => unindexed((0,sql/* sql */.l) `EXISTS (SELECT 1 FROM json_each(artifacts) WHERE json_extract(value, '$.type') = ${value})`)),
        ...given(q, value => unindexed(contains(value))),
    ];
}
function equality(condition) {
    return { condition, orders: ['updated_at'], range: undefined, select: selectIds(condition) };
}
function stateFilters(states) {
    const [state, ...more] = new Set(states);
    if (state === undefined)
        return [];
    const condition = more.length === 0 ? where('state', '=', state) : where('state', 'in', [state, ...more]);
    // An index has the runs of one state in order, not those of several.
    return [{ ...equality(condition), orders: more.length === 0 ? ['updated_at', 'created_at'] : [] }];
}
function rangeFilter(order, operator, value) {
    const condition = where(sortKeys[order], operator, value);
    return { condition, orders: [order], range: { condition, operator, value }, select: selectIds(condition) };
}
function list_filters_metadataFilter([name, value]) {
    return {
        ...unindexed((0,sql/* sql */.l) `json_extract(metadata, ${`$."${name}"`}) = ${value}`),
        select: database => database.selectFrom('runMetadata').select('runId').where('name', '=', name).where('value', '=', value),
    };
}
function unindexed(condition) {
    return { condition, orders: [], range: undefined, select: undefined };
}
function selectIds(condition) {
    return database => database.selectFrom('runs').select('runId').where(condition);
}
/** In bytes. LIKE is faster for usual prompts, but its time grows with the length of prompt and text multiplied. */
const longPrompt = 2000;
function contains(text) {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const like = (column) => (0,sql/* sql */.l) `${sql/* sql */.l.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
    const inPrompt = (0,sql/* sql */.l) `CASE WHEN octet_length(prompt) > ${longPrompt} THEN instr(lower(prompt), lower(${text})) ELSE ${like('prompt')} END`;
    return (0,sql/* sql */.l) `(${like('title')} OR ${inPrompt} OR ${like('skill_spec')})`;
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/lists/run-list.js
/**
 * Lists of runs. SQLite blocks the event loop and cannot be interrupted, so no statement may read a whole table of a
 * million runs. A list takes the first way that fits:
 *
 * 1. An index has the runs of the list, and only them, in the list's order.
 * 2. An index finds few runs for one of the filters: only these are read and sorted.
 * 3. The index of the order is read in windows, with other work of the server in between.
 *
 * A window begins behind a place in the order, like a page, so it has the same guarantee: no run comes twice and none
 * is missed as long as its sort key does not change. Each run is listed as it was when its window was read.
 */






/** The second way is for fewer runs than this. */
const fewRuns = 1000;
/** Most lists are complete after the first window, which takes under a millisecond. */
const windowRows = { first: 500, min: 10, max: 5000 };
/** Prompts in one window of a search. The slowest texts to look for take 7 ms in a megabyte. */
const searchBytes = 2_000_000;
/** Windows that take longer become smaller: prompts may be long, and the disk slow. */
const windowMs = 5;
/** Windows that are faster share a turn of the event loop. */
const yieldAfterMs = 2;
const runBytes = (0,sql/* sql */.l) `octet_length(prompt) + octet_length(config) + octet_length(title) + coalesce(octet_length(metadata), 0) + coalesce(octet_length(status_message), 0) + coalesce(octet_length(artifacts), 0) + coalesce(octet_length(continuation), 0)`;
/** Reads one page by keyset: the last run's sort key and id mark the next page, so new runs shift nothing. */
async function selectRuns(parts, filter) {
    const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor, filter);
    const page = new ListPage(filter);
    const way = await chooseWay(parts.database, filter);
    for (const [index, part] of splitOrder(filter, after).entries()) {
        const partWay = { ...way, within: [...way.within, ...part.within], ranges: [...way.ranges, ...part.ranges] };
        if (page.next === undefined)
            await readPart(parts, { page, way: partWay, start: index === 0 ? after : undefined });
    }
    return { runs: page.runs, nextCursor: page.next && printCursor(filter, page.next) };
}
async function chooseWay(database, filter) {
    const filters = splitFilter(filter);
    const ordered = filters.filter(({ orders }) => orders.includes(filter.sort_by));
    const ranges = ordered.filter(({ range }) => range !== undefined);
    const equality = ordered.filter(({ range }) => range === undefined).slice(0, 1);
    const rest = filters.filter(each => !ranges.includes(each) && !equality.includes(each));
    const few = await findFew(database, rest);
    const conditions = (some) => some.map(({ condition }) => condition);
    return few === undefined
        ? { within: conditions(equality), ranges: ranges.flatMap(({ range }) => range ?? []), rest: conditions(rest) }
        : {
            within: [(0,sql/* sql */.l) `run_id IN (SELECT value FROM json_each(${few}))`],
            ranges: [],
            rest: conditions(filters),
        };
}
/** Ids of the runs that match one of the filters, as a JSON array: of the filter with the fewest. */
async function findFew(database, filters) {
    let few;
    let limit = fewRuns;
    for (const { select } of filters) {
        if (select === undefined || limit === 0)
            continue;
        const { count, ids } = await database
            .selectFrom(select(database).limit(limit).as('matches'))
            .select([(0,sql/* sql */.l) `count(*)`.as('count'), (0,sql/* sql */.l) `json_group_array(run_id)`.as('ids')])
            .executeTakeFirstOrThrow();
        if (count < limit) {
            few = ids;
            limit = count;
        }
    }
    return few;
}
async function readPart({ database, turns, signal }, { page, way, start }) {
    let rows = windowRows.first;
    let after = start;
    // Many searches may begin together.
    if (page.filter.q !== undefined)
        await turns.next();
    let turnBeganAt = external_node_perf_hooks_.performance.now();
    for (;;) {
        const beganAt = external_node_perf_hooks_.performance.now();
        const window = await chooseWindow(database, { filter: page.filter, way, after, rows });
        await readWindow(database, page, { within: window.within, rest: way.rest });
        if (window.end === undefined || page.next !== undefined)
            return;
        after = window.end;
        const now = external_node_perf_hooks_.performance.now();
        rows = resizeWindow(window.rows, now - beganAt);
        if (now - turnBeganAt < yieldAfterMs)
            continue;
        await turns.next();
        signal?.throwIfAborted();
        turnBeganAt = external_node_perf_hooks_.performance.now();
    }
}
/** A search also gets fewer rows if their prompts are long. */
async function chooseWindow(database, { filter, way, after, rows }) {
    const unended = boundWindow(filter, way, { after, end: undefined });
    for (let wanted = rows;;) {
        const end = way.rest.length === 0 ? undefined : await findWindowEnd(database, { filter, within: unended, rows: wanted });
        const within = end === undefined ? unended : boundWindow(filter, way, { after, end });
        const bytes = filter.q === undefined || wanted === 1 ? 0 : await sumPrompts(database, within);
        if (bytes <= searchBytes)
            return { within, end, rows: wanted };
        wanted = Math.max(1, Math.floor((wanted * searchBytes) / bytes));
    }
}
async function sumPrompts(database, within) {
    const { bytes } = await database
        .selectFrom('runs')
        .select((0,sql/* sql */.l) `coalesce(sum(octet_length(prompt)), 0)`.as('bytes'))
        .where(where.and([...within]))
        .executeTakeFirstOrThrow();
    return bytes;
}
/** SQLite starts and stops at one condition each. So of a range and a place, only the one that implies the other stays. */
function boundWindow(order, { within, ranges }, { after, end }) {
    const isAscending = order.sort_order === 'asc';
    const first = ranges.find(({ operator }) => (operator === '>=') === isAscending);
    const last = ranges.find(each => each !== first);
    const bound = first?.value;
    const startsAtRange = after === undefined ||
        (bound !== undefined && (isAscending ? Number(after.value) < bound : Number(after.value) >= bound));
    const start = startsAtRange ? first?.condition : isAfter(order, after);
    const stop = end === undefined ? last?.condition : isUpTo(order, end);
    return [...within, ...(start === undefined ? [] : [start]), ...(stop === undefined ? [] : [stop])];
}
/** At most doubles or halves it, because a single long time may be due to other programs. */
function resizeWindow(rows, tookMs) {
    const factor = Math.min(2, Math.max(0.5, windowMs / tookMs));
    return Math.min(windowRows.max, Math.max(windowRows.min, Math.round(rows * factor)));
}
/** The last place of a window that has more rows behind it. Undefined if the rest is shorter than a window. */
async function findWindowEnd(database, { filter, within, rows, }) {
    return await selectInOrder(database, filter)
        .where(where.and([...within]))
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst();
}
async function readWindow(database, page, { within, rest }) {
    const found = await selectInOrder(database, page.filter)
        .select(runBytes.as('bytes'))
        .where(where.and([...within, ...(rest.length === 0 ? [] : [withoutIndex(rest)])]))
        .limit(page.room + 1)
        .execute();
    const fitting = page.fit(found);
    if (fitting.length === 0)
        return;
    // The same conditions again: a run may have changed since the statement before.
    const rows = await database
        .selectFrom('runs')
        .select(listColumns)
        .where('runId', 'in', fitting)
        .where(withoutIndex([...within, ...rest]))
        .execute();
    const byId = new Map(rows.map(row => [row.runId, runOfRow(row)]));
    page.add(fitting.flatMap(id => byId.get(id) ?? []));
}
function selectInOrder(database, { sort_by, sort_order }) {
    const key = sortKeys[sort_by];
    return database
        .selectFrom('runs')
        .select(eb => ['runId as id', eb.ref(key).as('value')])
        .orderBy(key, sort_order)
        .orderBy('runId', sort_order);
}
/** SQLite looks into a condition for other indexes, but not into a comparison of its truth. */
function withoutIndex(conditions) {
    return (0,sql/* sql */.l) `(${where.and([...conditions])}) IS TRUE`;
}
/** A page while it is filled. It ends early if its runs are large, but has at least one. */
class ListPage {
    filter;
    #runs = new Map();
    #room;
    #bytes = 0;
    #last;
    #isFull = false;
    constructor(filter) {
        this.filter = filter;
        this.#room = filter.limit;
    }
    get runs() {
        return [...this.#runs.values()];
    }
    /** The most runs that it can still take. */
    get room() {
        return this.#room;
    }
    /** Where the next page begins. Undefined until a run is found that does not fit. */
    get next() {
        return this.#isFull ? this.#last : undefined;
    }
    /** A run that was updated during the scan may come again in a later window. */
    add(runs) {
        for (const run of runs) {
            this.#runs.delete(run.runId);
            this.#runs.set(run.runId, run);
        }
    }
    /** Makes room for runs by their sizes, and returns the ids of those that fit. */
    fit(found) {
        const ids = [];
        for (const { bytes, id, value } of found) {
            this.#isFull = this.#last !== undefined && (this.#room === 0 || this.#bytes + bytes > sizes/* sizes */.L.pageBytes);
            if (this.#isFull)
                break;
            this.#room -= 1;
            this.#bytes += bytes;
            this.#last = { value, id };
            ids.push(id);
        }
        return ids;
    }
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/migrations.js

/** All schema steps, in order. A released step is never edited: a change is a new step. */
const steps = [
    {
        name: '0001_runs',
        statements: [
            `CREATE TABLE runs (
        run_id TEXT PRIMARY KEY, state TEXT NOT NULL, attempt INTEGER NOT NULL, version INTEGER NOT NULL,
        title TEXT NOT NULL, prompt TEXT NOT NULL, config TEXT NOT NULL,
        config_name TEXT, model_id TEXT, environment_id TEXT, skill_spec TEXT, skill TEXT,
        source TEXT NOT NULL, trigger_url TEXT, metadata TEXT, creator_uid TEXT NOT NULL, creator_name TEXT NOT NULL,
        status_message TEXT, result_head TEXT, result_truncated INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, started_at INTEGER, finished_at INTEGER,
        cancel_requested_at INTEGER, cancel_reason TEXT, lease_seconds REAL, lease_expires_at INTEGER,
        last_seq INTEGER NOT NULL DEFAULT 0, idempotency_key TEXT, body_hash TEXT
      ) STRICT`,
            'CREATE UNIQUE INDEX runs_idempotency ON runs (creator_uid, idempotency_key) WHERE idempotency_key IS NOT NULL',
            'CREATE INDEX runs_created ON runs (created_at, run_id)',
            'CREATE INDEX runs_updated ON runs (updated_at, run_id)',
            'CREATE INDEX runs_state_created ON runs (state, created_at, run_id)',
            'CREATE INDEX runs_state_updated ON runs (state, updated_at, run_id)',
            'CREATE INDEX runs_name_updated ON runs (config_name, updated_at, run_id)',
            'CREATE INDEX runs_lease ON runs (lease_expires_at) WHERE lease_expires_at IS NOT NULL AND finished_at IS NULL',
            'CREATE TABLE results (run_id TEXT PRIMARY KEY REFERENCES runs (run_id), text TEXT NOT NULL) STRICT',
            `CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs (run_id), seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (run_id, seq)
      ) STRICT, WITHOUT ROWID`,
            'CREATE TABLE api_keys (key_id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL) STRICT',
            'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
        ],
    },
    { name: '0002_checkout', statements: ['ALTER TABLE runs ADD COLUMN checkout TEXT'] },
    { name: '0003_structured_result', statements: ['ALTER TABLE runs ADD COLUMN result_structured TEXT'] },
    {
        name: '0004_artifacts',
        statements: [
            'ALTER TABLE runs ADD COLUMN artifacts TEXT',
            'CREATE TABLE artifact_homes (artifact_uid TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (run_id)) STRICT',
        ],
    },
    { name: '0005_cut_results', statements: ['ALTER TABLE runs ADD COLUMN result_left_out_bytes INTEGER'] },
    {
        name: '0006_skill_id',
        statements: [
            'ALTER TABLE runs ADD COLUMN skill_id TEXT',
            'CREATE INDEX runs_skill ON runs (skill_id, started_at) WHERE skill_id IS NOT NULL',
        ],
    },
    {
        name: '0007_usage_events',
        // The index includes the data, so a query reads no event rows.
        statements: ["CREATE INDEX events_usage ON events (run_id, seq, data) WHERE type = 'usage'"],
    },
    {
        name: '0008_conversations',
        statements: [
            'ALTER TABLE runs ADD COLUMN conversation_id TEXT',
            'UPDATE runs SET conversation_id = run_id',
            'CREATE INDEX runs_conversation ON runs (conversation_id, created_at, run_id)',
            'ALTER TABLE runs ADD COLUMN continuation TEXT',
            'ALTER TABLE runs ADD COLUMN interactive INTEGER NOT NULL DEFAULT 0',
            'ALTER TABLE runs ADD COLUMN followup TEXT',
            `CREATE TABLE followups (
        run_id TEXT NOT NULL REFERENCES runs (run_id), creator_uid TEXT NOT NULL, idempotency_key TEXT NOT NULL, body_hash TEXT NOT NULL,
        PRIMARY KEY (run_id, creator_uid, idempotency_key)
      ) STRICT, WITHOUT ROWID`,
        ],
    },
    {
        name: '0009_sessions',
        statements: [
            `CREATE INDEX runs_session ON runs (json_extract(continuation, '$.sessionId'), created_at, run_id)
        WHERE continuation IS NOT NULL`,
        ],
    },
    {
        name: '0010_worked',
        statements: [
            'ALTER TABLE runs ADD COLUMN worked_ms INTEGER',
            'UPDATE runs SET worked_ms = max(0, finished_at - started_at) WHERE finished_at IS NOT NULL AND started_at IS NOT NULL',
        ],
    },
    {
        // Earlier versions marked a cut text in its first line.
        name: '0011_raw_results',
        statements: [
            `UPDATE results SET text = substr(text, instr(text, char(10)) + 1)
        WHERE run_id IN (SELECT run_id FROM runs WHERE result_left_out_bytes IS NOT NULL)`,
            `UPDATE runs SET result_head = substr(result_head, instr(result_head, char(10)) + 1)
        WHERE result_left_out_bytes IS NOT NULL`,
        ],
    },
    {
        // For lists, and for leases in order.
        name: '0012_list_indexes',
        statements: [
            'DROP INDEX runs_lease',
            `CREATE INDEX runs_lease ON runs (lease_expires_at, run_id)
        WHERE lease_expires_at IS NOT NULL AND finished_at IS NULL`,
            'CREATE INDEX runs_creator_updated ON runs (creator_uid, updated_at, run_id)',
            'CREATE INDEX runs_source_updated ON runs (source, updated_at, run_id)',
            'CREATE INDEX runs_skill_updated ON runs (skill_spec, updated_at, run_id) WHERE skill_spec IS NOT NULL',
            'CREATE INDEX runs_model_updated ON runs (model_id, updated_at, run_id) WHERE model_id IS NOT NULL',
            'CREATE INDEX runs_environment_updated ON runs (environment_id, updated_at, run_id)',
            // An index of an expression cannot start at a pair such as (title, run_id). One of a column can.
            'ALTER TABLE runs ADD COLUMN title_key TEXT AS (lower(substr(title, 1, 200))) VIRTUAL',
            'ALTER TABLE runs ADD COLUMN agent_key TEXT AS (lower(substr(skill_spec, 1, 200))) VIRTUAL',
            'CREATE INDEX runs_title ON runs (title_key, run_id)',
            'CREATE INDEX runs_agent ON runs (agent_key, run_id)',
            `CREATE TABLE run_metadata (
        name TEXT NOT NULL, value TEXT NOT NULL, run_id TEXT NOT NULL REFERENCES runs (run_id),
        PRIMARY KEY (name, value, run_id)
      ) STRICT, WITHOUT ROWID`,
            `INSERT INTO run_metadata (name, value, run_id)
        SELECT pair.key, pair.value, runs.run_id FROM runs, json_each(runs.metadata) AS pair WHERE metadata IS NOT NULL
        ORDER BY 1, 2, 3`,
        ],
    },
];
/**
 * Brings the tables to the newest step, in one transaction: a crash leaves the data as it was, and a start waits for
 * one flush. (Kysely's own migrator commits every statement alone on SQLite.) Calls `announce` before each step on
 * existing data. Throws if a newer version wrote the data.
 */
async function migrate(database, announce) {
    await migrations_execute(database, 'BEGIN IMMEDIATE');
    try {
        await takeMissingSteps(database, announce);
        await migrations_execute(database, 'COMMIT');
    }
    catch (error) {
        await migrations_execute(database, 'ROLLBACK').catch(() => { });
        throw error;
    }
}
async function takeMissingSteps(database, announce) {
    await migrations_execute(database, 'CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT');
    const taken = (await database.selectFrom('schemaSteps').select('name').execute()).map(row => row.name);
    const unknown = taken.filter(name => !steps.some(step => step.name === name));
    if (unknown.length > 0)
        throw new Error(`the data folder was written by a newer version of agent-run (${unknown.join(', ')}); start that version, or choose another data folder with --data`);
    for (const { name, statements } of steps) {
        if (taken.includes(name))
            continue;
        if (taken.length > 0)
            announce(name);
        for (const statement of statements)
            await migrations_execute(database, statement);
        await database.insertInto('schemaSteps').values({ name }).execute();
    }
}
async function migrations_execute(database, statement) {
    await sql/* sql */.l.raw(statement).execute(database);
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-moves.js


/**
 * The only statement that changes a state. Its condition is the moves that `contract/tables/state.ts` allows, and it
 * appends the `state` event. Returns the row after the move, or undefined if the run was not in a start state.
 */
async function moveRun(unit, move) {
    let update = unit.database
        .updateTable('runs')
        .set(eb => ({
        state: move.to,
        version: eb('version', '+', 1),
        updatedAt: move.now,
        statusMessage: move.statusMessage === undefined ? null : JSON.stringify(move.statusMessage),
        ...((0,tables_state/* isFinal */.dR)(move.to) ? { finishedAt: move.now, leaseExpiresAt: null } : {}),
        ...move.set,
    }))
        .where('runId', '=', move.runId)
        .where('state', 'in', move.from === undefined ? (0,tables_state/* statesBefore */.Yr)(move.to) : [move.from]);
    if (move.attempt !== undefined)
        update = update.where('attempt', '=', move.attempt);
    const row = await update.returningAll().executeTakeFirst();
    if (row === undefined)
        return undefined;
    if ((0,tables_state/* isFinal */.dR)(move.to))
        await forgetSecrets(unit, row);
    const message = move.statusMessage?.message;
    await insertEvents(unit, row, [
        ...(move.before ?? []),
        { type: 'state', data: message === undefined ? { state: move.to } : { state: move.to, message } },
    ], move.now);
    unit.touch(move.runId);
    return row;
}
/** Keys of MCP servers are not needed after the end. The idempotency check uses the request's hash. */
async function forgetSecrets(unit, { runId, config }) {
    const known = JSON.parse(config);
    if (known.mcp_servers === undefined)
        return;
    const redacted = JSON.stringify(hideMcpSecrets(known));
    await unit.database.updateTable('runs').set({ config: redacted }).where('runId', '=', runId).execute();
}
/** Appends events with numbers after the run's last one. `lastSeq` must have been read in this unit. */
async function insertEvents(unit, row, events, now) {
    await unit.database
        .insertInto('events')
        .values(events.map((event, index) => ({
        runId: row.runId,
        seq: row.lastSeq + index + 1,
        at: now,
        type: event.type,
        data: JSON.stringify(event.data),
    })))
        .execute();
    await unit.database
        .updateTable('runs')
        .set({ lastSeq: row.lastSeq + events.length })
        .where('runId', '=', row.runId)
        .execute();
}
/** Cancels a run at once if no worker has it. Otherwise sets a mark for its worker. */
async function requestCancel(unit, runId, reason, now) {
    const request = { cancelRequestedAt: now, cancelReason: reason };
    const running = await unit.database
        .updateTable('runs')
        .set(eb => ({ ...request, version: eb('version', '+', 1), updatedAt: now }))
        .where('runId', '=', runId)
        .where('state', '=', 'INPROGRESS')
        .where('cancelRequestedAt', 'is', null)
        .executeTakeFirst();
    if (running.numUpdatedRows > 0n) {
        unit.touch(runId);
        return 'requested';
    }
    const row = await unit.database.selectFrom('runs').select('state').where('runId', '=', runId).executeTakeFirst();
    if (row === undefined)
        return 'unknown';
    if (tables_state/* finalStates */.ZW.includes(row.state))
        return 'over';
    if (row.state === 'INPROGRESS')
        return 'requested';
    await moveRun(unit, { runId, to: 'CANCELLED', now, statusMessage: { message: reason }, set: request });
    return 'cancelled';
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-claims.js


async function claimRun(unit, now) {
    const next = await unit.database
        .selectFrom('runs')
        .select(['runId', 'attempt', 'startedAt'])
        .where('state', '=', 'QUEUED')
        .orderBy('createdAt')
        .orderBy('runId')
        .limit(1)
        .executeTakeFirst();
    if (next === undefined)
        return undefined;
    const row = await moveRun(unit, {
        runId: next.runId,
        to: 'INPROGRESS',
        now,
        set: { attempt: next.attempt + 1, startedAt: next.startedAt ?? now },
    });
    return row === undefined ? undefined : runOfRow(await selectRun(unit, next.runId));
}
async function run_claims_describeSkill(unit, claim, skill, skillId, now) {
    const done = await unit.database
        .updateTable('runs')
        .set(eb => ({
        skill: JSON.stringify(skill),
        skillId: skillId?.toLowerCase() ?? null,
        version: eb('version', '+', 1),
        updatedAt: now,
    }))
        .where('runId', '=', claim.runId)
        .where('attempt', '=', claim.attempt)
        .where('state', '=', 'INPROGRESS')
        .executeTakeFirst();
    unit.touch(claim.runId);
    return done.numUpdatedRows > 0n;
}
async function noteContinuation(unit, claim, continuation) {
    const done = await unit.database
        .updateTable('runs')
        .set({ continuation: JSON.stringify(continuation) })
        .where('runId', '=', claim.runId)
        .where('attempt', '=', claim.attempt)
        .where('state', '=', 'INPROGRESS')
        .executeTakeFirst();
    unit.touch(claim.runId);
    return done.numUpdatedRows > 0n;
}
async function appendEvents(unit, claim, events, now) {
    const row = await unit.database
        .selectFrom('runs')
        .select(['runId', 'lastSeq', 'updatedAt'])
        .where('runId', '=', claim.runId)
        .where('attempt', '=', claim.attempt)
        .where('state', '=', 'INPROGRESS')
        .executeTakeFirst();
    if (row === undefined)
        return false;
    if (events.length === 0)
        return true;
    await insertEvents(unit, row, events, now);
    if (now - row.updatedAt >= 1000)
        await unit.database.updateTable('runs').set({ updatedAt: now }).where('runId', '=', claim.runId).execute();
    unit.touch(claim.runId);
    return true;
}
/** Throws if the run does not exist. */
function selectRun(unit, runId) {
    return unit.database.selectFrom('runs').selectAll().where('runId', '=', runId).executeTakeFirstOrThrow();
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/insert-row.js
/** Building a statement takes several times longer than running it. */
const built = new WeakMap();
/** Inserts a row with a statement that is built once. Rows of a table have the same columns. */
async function insertRow(database, table, row) {
    const inserts = built.get(database) ?? new Map();
    built.set(database, inserts);
    const insert = inserts.get(table) ?? {
        statement: database.insertInto(table).values(row).compile(),
        columns: Object.keys(row),
    };
    inserts.set(table, insert);
    const values = row;
    await database.executeQuery({ ...insert.statement, parameters: insert.columns.map(column => values[column]) });
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-creation.js



/** Finds the run that the same caller created with the same key. */
function findByIdempotencyKey(database, creatorUid, key) {
    return database
        .selectFrom('runs')
        .selectAll()
        .where('creatorUid', '=', creatorUid)
        .where('idempotencyKey', '=', key)
        .executeTakeFirst();
}
/** The same key with the same body returns the same run. A different body is the caller's mistake. */
function judgeRepeat(earlier, bodyHash) {
    return earlier.bodyHash === bodyHash
        ? { kind: 'replayed', run: runOfRow(earlier) }
        : { kind: 'key_conflict', runId: earlier.runId };
}
const newestRun = (database) => database.selectFrom('runs').selectAll().orderBy('createdAt', 'desc').orderBy('runId', 'desc').limit(1);
function run_creation_findNewest(database, conversationId) {
    return newestRun(database).where('conversationId', '=', conversationId).executeTakeFirst();
}
/** Finds the newest run of an agent's session. The conditions match the index of sessions. */
function findSession(database, sessionId) {
    const session = (0,sql/* sql */.l) `json_extract(continuation, '$.sessionId')`;
    return newestRun(database).where('continuation', 'is not', null).where(session, '=', sessionId).executeTakeFirst();
}
/** Inserts a queued run with its first event. */
async function insertRun(unit, run, { runId, now }) {
    const row = rowOfNewRun(run, runId, now);
    await insertRow(unit.database, 'runs', row);
    for (const [name, value] of Object.entries(run.metadata ?? {}))
        await insertRow(unit.database, 'runMetadata', { name, value, runId });
    const data = JSON.stringify({ state: row.state });
    await insertRow(unit.database, 'events', { runId, seq: row.lastSeq, at: now, type: 'state', data });
    unit.touch(runId);
    return runOfRow(row);
}
/** All columns of a run, so that every insert is the same statement. */
function rowOfNewRun(run, runId, now) {
    return {
        runId,
        state: 'QUEUED',
        attempt: 0,
        version: 1,
        title: run.title,
        prompt: run.prompt,
        config: JSON.stringify(run.config),
        configName: run.config.name ?? null,
        modelId: run.config.model_id ?? null,
        environmentId: run.config.environment_id ?? null,
        skillSpec: run.config.skill_spec ?? null,
        skill: null,
        source: run.source,
        triggerUrl: run.triggerUrl ?? null,
        metadata: run.metadata === undefined ? null : JSON.stringify(run.metadata),
        checkout: run.checkout === undefined ? null : JSON.stringify(run.checkout),
        conversationId: run.conversation?.id ?? runId,
        continuation: run.conversation === undefined ? null : JSON.stringify({ ...run.conversation.continuation, own: undefined }),
        interactive: run.isInteractive === true ? 1 : 0,
        creatorUid: run.creator.uid,
        creatorName: run.creator.displayName,
        statusMessage: null,
        resultTruncated: 0,
        artifacts: null,
        createdAt: now,
        updatedAt: now,
        startedAt: null,
        finishedAt: null,
        workedMs: null,
        cancelRequestedAt: null,
        cancelReason: null,
        leaseSeconds: run.leaseSeconds ?? null,
        leaseExpiresAt: run.leaseSeconds === undefined ? null : Math.round(now + run.leaseSeconds * 1000),
        lastSeq: 1,
        idempotencyKey: run.idempotency?.key ?? null,
        bodyHash: run.idempotency?.bodyHash ?? null,
    };
}

;// CONCATENATED MODULE: ./build/js/server/store/fit-result.js


/** Keeps the end of a text up to the size limit of a result. */
function fitResult({ text, leftOutBytes }) {
    const bytes = Buffer.byteLength(text);
    if (bytes <= sizes/* sizes */.L.resultBytes)
        return { text, leftOutBytes };
    const end = (0,base_text/* tailOfUtf8 */.ff)(text, sizes/* sizes */.L.resultBytes);
    return { text: end, leftOutBytes: leftOutBytes + bytes - Buffer.byteLength(end) };
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-endings.js




/** Ends a claimed run with its result and artifacts, or leaves it BLOCKED. */
async function finishRun(unit, claim, ending, now) {
    const asked = await unit.database
        .selectFrom('runs')
        .select(['cancelRequestedAt', 'cancelReason', 'workedMs'])
        .where('runId', '=', claim.runId)
        .executeTakeFirst();
    if (asked === undefined)
        return false;
    const cancelled = asked.cancelRequestedAt !== null;
    const fitted = ending.result && fitResult(ending.result);
    const text = fitted?.text;
    const head = text === undefined ? undefined : (0,base_text/* headOfUtf8 */.$n)(text, sizes/* sizes */.L.resultInlineBytes);
    const artifacts = (ending.artifacts ?? []).map(artifact => ({ ...artifact, createdAt: now }));
    const row = await moveRun(unit, {
        runId: claim.runId,
        attempt: claim.attempt,
        before: artifacts.map(({ type, data }) => ({ type: 'artifact', data: { artifact_type: type, ...data } })),
        to: cancelled ? 'CANCELLED' : ending.state,
        now,
        statusMessage: cancelled ? { message: asked.cancelReason ?? 'cancelled' } : ending.statusMessage,
        set: {
            ...(ending.workedMs === undefined ? {} : { workedMs: (asked.workedMs ?? 0) + ending.workedMs }),
            ...(artifacts.length === 0 ? {} : { artifacts: JSON.stringify(artifacts) }),
            ...(head === undefined
                ? {}
                : {
                    resultHead: head,
                    resultTruncated: head === text ? 0 : 1,
                    resultLeftOutBytes: fitted?.leftOutBytes || null,
                    resultStructured: ending.structured === undefined ? null : JSON.stringify(ending.structured),
                }),
        },
    });
    if (row === undefined)
        return false;
    if (text !== undefined)
        await unit.database.insertInto('results').values({ runId: claim.runId, text }).execute();
    const homes = artifacts.flatMap(({ data: { artifact_uid: uid } }) => typeof uid === 'string' ? [{ artifactUid: uid, runId: claim.runId }] : []);
    if (homes.length > 0)
        await unit.database.insertInto('artifactHomes').values(homes).execute();
    return true;
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-followups.js



/** Queues a BLOCKED run again with a follow-up. The key identifies a repeated request in any state of the run. */
async function sendFollowup(unit, runId, { message, creatorUid, idempotency }, now) {
    if (idempotency !== undefined) {
        const earlier = await unit.database
            .selectFrom('followups')
            .select('bodyHash')
            .where('runId', '=', runId)
            .where('creatorUid', '=', creatorUid)
            .where('idempotencyKey', '=', idempotency.key)
            .executeTakeFirst();
        if (earlier !== undefined)
            return earlier.bodyHash === idempotency.bodyHash ? 'replayed' : 'key_conflict';
    }
    const said = (0,base_text/* headOfUtf8 */.$n)(message, sizes/* sizes */.L.logEventBytes);
    const row = await moveRun(unit, {
        runId,
        from: 'BLOCKED',
        to: 'QUEUED',
        now,
        set: { followup: message },
        before: [{ type: 'message', data: { role: 'user', text: said } }],
    });
    if (row === undefined)
        return 'not_blocked';
    if (idempotency !== undefined)
        await unit.database
            .insertInto('followups')
            .values({ runId, creatorUid, idempotencyKey: idempotency.key, bodyHash: idempotency.bodyHash })
            .execute();
    return 'sent';
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/run-upkeep.js


/** Runs of one unit of upkeep: many leases can expire at once, and the server must not stand still meanwhile. */
const upkeepRuns = 20;
/**
 * Upkeep of leases and orphans by the service. A lease means "cancel this run if its caller does not renew it in
 * time". It is the only safeguard when the caller was killed.
 */
async function renewLease(unit, { runId, leaseSeconds, now, }) {
    const row = await unit.database
        .selectFrom('runs')
        .select('leaseSeconds')
        .where('runId', '=', runId)
        .where('finishedAt', 'is', null)
        .where('cancelRequestedAt', 'is', null)
        .executeTakeFirst();
    const seconds = leaseSeconds ?? row?.leaseSeconds ?? undefined;
    if (row === undefined || seconds === undefined)
        return undefined;
    const leaseExpiresAt = Math.round(now + seconds * 1000);
    await unit.database
        .updateTable('runs')
        .set({ leaseSeconds: seconds, leaseExpiresAt })
        .where('runId', '=', runId)
        .execute();
    unit.touch(runId);
    return leaseExpiresAt;
}
/** Requests that still wait for the run no longer renew its lease. */
async function releaseLease(unit, runId) {
    const done = await unit.database
        .updateTable('runs')
        .set({ leaseSeconds: null, leaseExpiresAt: null })
        .where('runId', '=', runId)
        .where('finishedAt', 'is', null)
        .where('cancelRequestedAt', 'is', null)
        .executeTakeFirst();
    unit.touch(runId);
    return done.numUpdatedRows > 0n;
}
/** Cancels the runs with an expired lease, a few in each unit. */
async function cancelLapsedLeases(queue, now) {
    const cancelled = [];
    for (;;) {
        const some = await queue.run(unit => cancelSomeLapsed(unit, now));
        cancelled.push(...some);
        if (some.length < upkeepRuns)
            return cancelled;
    }
}
async function cancelSomeLapsed(unit, now) {
    const lapsed = await unit.database
        .selectFrom('runs')
        .select(['runId', 'leaseSeconds'])
        .where('leaseExpiresAt', '<=', now)
        .where('finishedAt', 'is', null)
        .where('cancelRequestedAt', 'is', null)
        .limit(upkeepRuns)
        .execute();
    for (const { runId, leaseSeconds } of lapsed)
        await requestCancel(unit, runId, `its lease of ${leaseSeconds} s expired, so nobody is waiting for it`, now);
    return lapsed.map(row => row.runId);
}
/**
 * Restarts the open leases in the order of their ends, a few in each unit. A restarted lease may come once more,
 * because it ends later. Its end does not change then.
 */
async function restartLeases(queue, now) {
    let last;
    do
        last = await queue.run(unit => restartSomeLeases(unit, { now, after: last }));
    while (last !== undefined);
}
/** Returns the last lease that it restarted; undefined if there was none after the given one. */
async function restartSomeLeases(unit, { now, after }) {
    let open = unit.database
        .selectFrom('runs')
        .select(['leaseExpiresAt', 'runId'])
        .where('leaseExpiresAt', 'is not', null)
        .where('finishedAt', 'is', null);
    if (after !== undefined)
        open = open.where((0,sql/* sql */.l) `(lease_expires_at, run_id) > (${after.leaseExpiresAt}, ${after.runId})`);
    const leases = await open.orderBy('leaseExpiresAt').orderBy('runId').limit(upkeepRuns).execute();
    const ids = leases.map(({ runId }) => runId);
    if (ids.length > 0)
        await unit.database
            .updateTable('runs')
            .set(eb => ({ leaseExpiresAt: eb.cast(eb(eb.val(now), '+', eb('leaseSeconds', '*', 1000)), 'integer') }))
            .where('runId', 'in', ids)
            .execute();
    for (const id of ids)
        unit.touch(id);
    return leases.at(-1);
}
async function endOrphans(unit, message, now) {
    const orphans = await unit.database
        .selectFrom('runs')
        .select(['runId', 'cancelRequestedAt', 'cancelReason'])
        .where('state', '=', 'INPROGRESS')
        .execute();
    for (const { runId, cancelRequestedAt, cancelReason } of orphans) {
        if (cancelRequestedAt === null)
            await moveRun(unit, {
                runId,
                to: 'ERROR',
                now,
                statusMessage: { message, error_code: 'resource_unavailable', retryable: true },
            });
        else
            await moveRun(unit, { runId, to: 'CANCELLED', now, statusMessage: { message: cancelReason ?? 'cancelled' } });
    }
    return orphans.map(row => row.runId);
}

// EXTERNAL MODULE: ./node_modules/kysely/dist/kysely.js + 75 modules
var kysely = __webpack_require__(8588);
// EXTERNAL MODULE: ./node_modules/kysely/dist/dialect/sqlite/sqlite-dialect.js + 9 modules
var sqlite_dialect = __webpack_require__(8233);
// EXTERNAL MODULE: ./node_modules/kysely/dist/plugin/camel-case/camel-case-plugin.js + 2 modules
var camel_case_plugin = __webpack_require__(3987);
;// CONCATENATED MODULE: ./build/js/server/store/sqlite/sqlite-database.js


/** SQLite result codes (sqlite.org/rescode.html) that mean a fault of the file, not of the statement. */
const fileFaults = {
    8: "this user cannot write to it; make the server's user its owner",
    11: 'it is damaged; stop the server and restore a copy',
    13: 'the disk is full; free some space',
    14: 'it cannot be opened; allow this user to read and write it',
    26: 'it is not an agent-run database; move it elsewhere',
};
/** Used instead of a file. The data ends with the connection, and no other connection sees it. */
const inMemory = ':memory:';
/**
 * Opens a connection. synchronous=FULL makes commits survive a power cut. node:sqlite has a `busy_timeout` of 0 by
 * default, and a reader would fail during a checkpoint. Deleted data is overwritten, because it may have been a key.
 * Throws with a sentence if the file is not a database or cannot be opened.
 */
function openConnection(file, mode) {
    const database = openFile(file);
    if (mode === 'read')
        database.exec('PRAGMA query_only = ON;');
    return new kysely/* Kysely */._$({
        dialect: new sqlite_dialect/* SqliteDialect */.P({ database: adaptDatabase(database, file) }),
        plugins: [new camel_case_plugin/* CamelCasePlugin */.E({ maintainNestedObjectKeys: true })],
    });
}
function openFile(file) {
    let database;
    try {
        database = new external_node_sqlite_.DatabaseSync(file, { timeout: 5000 });
        // Large sorts of an in-memory database must not create files either.
        const place = file === inMemory ? 'PRAGMA temp_store = MEMORY;' : 'PRAGMA journal_mode = WAL;';
        database.exec(`${place} PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;`);
        return database;
    }
    catch (error) {
        database?.close();
        throw sqlite_database_explainFault(error, file);
    }
}
/** Adds the file's name and a remedy to a fault of the file. Returns other errors unchanged. */
function sqlite_database_explainFault(error, file) {
    const fault = error instanceof Error && 'errcode' in error ? fileFaults[Number(error.errcode) & 0xff] : undefined;
    if (fault === undefined)
        return error;
    return new Error(`the database ${file} cannot be used: ${fault}, or choose another data folder with --data`, {
        cause: error,
    });
}
/** Implements the few better-sqlite3 methods that Kysely calls with node:sqlite. */
function adaptDatabase(database, file) {
    const prepared = new Map();
    // Damage inside the file shows up only in the statement that reads it.
    const explain = work => {
        try {
            return work();
        }
        catch (error) {
            throw sqlite_database_explainFault(error, file);
        }
    };
    return {
        prepare(sql) {
            const known = prepared.get(sql);
            if (known !== undefined)
                return known;
            const statement = explain(() => adaptStatement(database.prepare(sql), explain));
            // Lists of different lengths make different statements, so the cache needs a limit.
            if (prepared.size >= 200)
                prepared.clear();
            prepared.set(sql, statement);
            return statement;
        },
        close() {
            prepared.clear();
            database.close();
        },
    };
}
function adaptStatement(statement, explain) {
    const bind = (parameters) => parameters.map(value => value);
    return {
        reader: statement.columns().length > 0,
        all: parameters => explain(() => statement.all(...bind(parameters))),
        run: parameters => explain(() => statement.run(...bind(parameters))),
        iterate: parameters => statement.iterate(...bind(parameters)),
    };
}

// EXTERNAL MODULE: ./node_modules/kysely/dist/query-compiler/compiled-query.js
var compiled_query = __webpack_require__(4596);
;// CONCATENATED MODULE: ./build/js/server/store/sqlite/writer-queue.js


const statements = {
    begin: compiled_query/* CompiledQuery */.E.raw('BEGIN IMMEDIATE'),
    commit: compiled_query/* CompiledQuery */.E.raw('COMMIT'),
    rollback: compiled_query/* CompiledQuery */.E.raw('ROLLBACK'),
    beginUnit: compiled_query/* CompiledQuery */.E.raw('SAVEPOINT unit'),
    endUnit: compiled_query/* CompiledQuery */.E.raw('RELEASE unit'),
    undoUnit: compiled_query/* CompiledQuery */.E.raw('ROLLBACK TO unit'),
};
/**
 * Group commit: all writes of one turn of the event loop share one transaction and one flush to disk. Units run one
 * after another, each in its own savepoint, so a failed unit does not undo the others. Callers learn of success only
 * after the commit.
 */
class WriterQueue {
    #database;
    #onCommit;
    #waiting = [];
    #draining;
    #closed = false;
    constructor(database, onCommit) {
        this.#database = database;
        this.#onCommit = onCommit;
    }
    /** Runs `work` as one unit. Resolves with its value after the commit. */
    run(work) {
        if (this.#closed)
            return Promise.reject(new Error('the store is closed'));
        return new Promise((resolve, reject) => {
            this.#waiting.push({ work, resolve: value => resolve(value), reject });
            this.#draining ??= this.#drain();
        });
    }
    /** Finishes queued units and accepts no more. */
    async close() {
        this.#closed = true;
        await this.#draining;
    }
    async #drain() {
        try {
            while (this.#waiting.length > 0) {
                await (0,external_node_timers_promises_.setImmediate)();
                const batch = this.#waiting;
                this.#waiting = [];
                await this.#commit(batch);
            }
        }
        finally {
            this.#draining = undefined;
        }
    }
    async #commit(batch) {
        const acknowledgements = [];
        const touched = new Set();
        try {
            await this.#execute('begin');
            for (const waiting of batch)
                acknowledgements.push(await this.#runUnit(waiting, touched));
            await this.#execute('commit');
        }
        catch (error) {
            await this.#execute('rollback').catch(() => { });
            for (const waiting of batch)
                waiting.reject(error);
            return;
        }
        for (const acknowledge of acknowledgements)
            acknowledge();
        this.#onCommit(touched);
    }
    /** Returns how to settle the caller's promise after the commit. */
    async #runUnit(waiting, touched) {
        const own = [];
        await this.#execute('beginUnit');
        try {
            const value = await waiting.work({ database: this.#database, touch: runId => own.push(runId) });
            await this.#execute('endUnit');
            for (const runId of own)
                touched.add(runId);
            return () => waiting.resolve(value);
        }
        catch (error) {
            await this.#execute('undoUnit');
            await this.#execute('endUnit');
            return () => waiting.reject(error);
        }
    }
    async #execute(statement) {
        await this.#database.executeQuery(statements[statement]);
    }
}

;// CONCATENATED MODULE: ./build/js/server/store/sqlite/sqlite-store.js


















/** The store's file in the data folder. */
const databaseFile = 'agent-run.sqlite';
/**
 * Opens the store in a data folder that the caller has locked, or in memory. Server and database share one machine
 * and its clock. Throws if a newer version wrote the data.
 */
async function openSqliteStore({ folder, clock, onMigration = () => { }, }) {
    const file = folder === undefined ? inMemory : (0,external_node_path_.join)(folder, databaseFile);
    const writer = openConnection(file, 'write');
    try {
        await migrate(writer, onMigration);
        // A database in memory has a single connection, so readers see writes at once. Durability does not apply.
        return new SqliteStore(writer, folder === undefined ? writer : openConnection(file, 'read'), { clock, folder });
    }
    catch (error) {
        await writer.destroy();
        throw error;
    }
}
class SqliteStore {
    #writer;
    #reader;
    #clock;
    #folder;
    #queue;
    #turns = new Turns();
    #listeners = new Set();
    constructor(writer, reader, { clock, folder }) {
        this.#writer = writer;
        this.#reader = reader;
        this.#clock = clock;
        this.#folder = folder;
        this.#queue = new WriterQueue(writer, runIds => {
            for (const runId of runIds)
                for (const listener of this.#listeners)
                    notifyListener(listener, runId);
        });
    }
    createRun(run) {
        return this.#queue.run(async (unit) => {
            const { idempotency } = run;
            const earlier = idempotency && (await findByIdempotencyKey(unit.database, run.creator.uid, idempotency.key));
            if (earlier !== undefined)
                return judgeRepeat(earlier, idempotency?.bodyHash);
            const before = run.conversation && (await run_creation_findNewest(unit.database, run.conversation.id));
            if (before !== undefined && !(0,tables_state/* isFinal */.dR)(before.state))
                return { kind: 'conversation_busy', run: runOfRow(before) };
            const now = this.#clock.now();
            const runId = (0,v7/* default */.A)();
            return { kind: 'created', run: await insertRun(unit, run, { runId, now }) };
        });
    }
    async findCreated(creatorUid, { key, bodyHash }) {
        const row = await findByIdempotencyKey(this.#reader, creatorUid, key);
        return row === undefined ? undefined : judgeRepeat(row, bodyHash);
    }
    async readRun(runId) {
        const row = await this.#reader.selectFrom('runs').selectAll().where('runId', '=', runId).executeTakeFirst();
        return row === undefined ? undefined : runOfRow(row);
    }
    async findNewest(conversationId) {
        const row = await run_creation_findNewest(this.#reader, conversationId);
        return row === undefined ? undefined : runOfRow(row);
    }
    async findSession(sessionId) {
        const row = await findSession(this.#reader, sessionId);
        return row === undefined ? undefined : runOfRow(row);
    }
    async readResult(runId) {
        const row = await this.#reader.selectFrom('results').select('text').where('runId', '=', runId).executeTakeFirst();
        return row?.text;
    }
    listRuns(filter, signal) {
        return selectRuns({ database: this.#reader, turns: this.#turns, signal }, filter);
    }
    claimRun() {
        return this.#queue.run(unit => claimRun(unit, this.#clock.now()));
    }
    describeSkill(claim, skill, skillId) {
        return this.#queue.run(unit => run_claims_describeSkill(unit, claim, skill, skillId, this.#clock.now()));
    }
    noteContinuation(claim, continuation) {
        return this.#queue.run(unit => noteContinuation(unit, claim, continuation));
    }
    async findLastRuns(skillIds) {
        const found = new Map();
        for (const id of new Set(skillIds)) {
            const row = await this.#reader
                .selectFrom('runs')
                .select(eb => eb.fn.max('startedAt').as('startedAt'))
                .where('skillId', '=', id.toLowerCase())
                .executeTakeFirst();
            if (typeof row?.startedAt === 'number')
                found.set(id, row.startedAt);
        }
        return found;
    }
    appendEvents(claim, events) {
        return this.#queue.run(unit => appendEvents(unit, claim, events, this.#clock.now()));
    }
    finishRun(claim, ending) {
        return this.#queue.run(unit => finishRun(unit, claim, ending, this.#clock.now()));
    }
    async findArtifact(artifactUid) {
        const row = await this.#reader
            .selectFrom('artifactHomes')
            .innerJoin('runs', 'runs.runId', 'artifactHomes.runId')
            .select(['runs.runId', 'runs.artifacts'])
            .where('artifactUid', '=', artifactUid)
            .executeTakeFirst();
        const artifact = artifactsOf(row?.artifacts ?? null).find(({ data }) => data.artifact_uid === artifactUid);
        return row === undefined || artifact === undefined ? undefined : { runId: row.runId, artifact };
    }
    async readEvents(runId, after, limit) {
        const rows = await this.#reader
            .selectFrom('events')
            .selectAll()
            .where('runId', '=', runId)
            .where('seq', '>', after)
            .orderBy('seq')
            .limit(limit)
            .execute();
        return rows.map(eventOfRow);
    }
    sendFollowup(runId, followup) {
        return this.#queue.run(unit => sendFollowup(unit, runId, followup, this.#clock.now()));
    }
    async readUsage(runId) {
        const rows = await this.#reader
            .selectFrom('events')
            .select('data')
            .where('runId', '=', runId)
            // SQLite uses a partial index only for a literal, not for a bound value.
            .where('type', '=', sql/* sql */.l.lit('usage'))
            .orderBy('seq')
            .execute();
        const total = new usage_total/* UsageTotal */.qX();
        for (const { data } of rows)
            total.add(JSON.parse(data));
        return total.read();
    }
    requestCancel(runId, reason) {
        return this.#queue.run(unit => requestCancel(unit, runId, reason, this.#clock.now()));
    }
    renewLease(runId, leaseSeconds) {
        return this.#queue.run(unit => renewLease(unit, { runId, leaseSeconds, now: this.#clock.now() }));
    }
    releaseLease(runId) {
        return this.#queue.run(unit => releaseLease(unit, runId));
    }
    cancelLapsedLeases() {
        return cancelLapsedLeases(this.#queue, this.#clock.now());
    }
    restartLeases() {
        return restartLeases(this.#queue, this.#clock.now());
    }
    endOrphans(message) {
        return this.#queue.run(unit => endOrphans(unit, message, this.#clock.now()));
    }
    addKey(key) {
        return this.#queue.run(async (unit) => {
            await unit.database
                .insertInto('apiKeys')
                .values({ ...key, createdAt: this.#clock.now() })
                .execute();
        });
    }
    listKeys() {
        return this.#reader.selectFrom('apiKeys').select(['keyId', 'name', 'hash']).execute();
    }
    readOrKeepSetting(name, initial) {
        return this.#queue.run(async (unit) => {
            await unit.database
                .insertInto('settings')
                .values({ name, value: initial })
                .onConflict(conflict => conflict.column('name').doNothing())
                .execute();
            const row = await unit.database
                .selectFrom('settings')
                .select('value')
                .where('name', '=', name)
                .executeTakeFirstOrThrow();
            return row.value;
        });
    }
    findWriteFault() {
        return findWriteFault(this.#queue, { folder: this.#folder, now: this.#clock.now() });
    }
    onChange(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
    async close() {
        await this.#queue.close();
        if (this.#reader !== this.#writer)
            await this.#reader.destroy();
        await this.#writer.destroy();
    }
}
/** A listener's error must not fail the write. It becomes an uncaught error of the process. */
function notifyListener(listener, runId) {
    try {
        listener(runId);
    }
    catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
    }
}

// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
;// CONCATENATED MODULE: ./build/js/server/changes/patch-file.js
/**
 * Stores the patches of a run until they are artifacts, or published. It is an open file without a name, so nothing
 * that git executes for a repository can replace its contents.
 */





/** Opens it in `folder`, where it has a name for a moment. The caller closes it. */
async function openPatchFile(folder) {
    const path = (0,external_node_path_.join)(folder, `.patches-${(0,external_node_crypto_.randomUUID)()}`);
    const file = await (0,promises_.open)(path, 'wx+', 0o600);
    await (0,promises_.rm)(path);
    let end = 0;
    return {
        async keep(make, bytesMax) {
            const start = end;
            let bytes = 0;
            await make(async (chunk) => {
                const kept = chunk.subarray(0, Math.max(0, bytesMax - bytes));
                await writeAt(file, kept, start + bytes);
                bytes += chunk.length;
            });
            const stop = start + Math.min(bytes, bytesMax);
            end = stop;
            return { bytes, read: () => readRange(file, start, stop) };
        },
        close: () => file.close(),
    };
}
/** Writes texts one after another into a new file. */
async function writeTexts(texts, to) {
    const all = async function* () {
        for (const text of texts)
            yield* text.read();
    };
    await (0,external_node_stream_promises_.pipeline)(all, (0,external_node_fs_.createWriteStream)(to, { flags: 'wx', mode: 0o600 }));
}
async function writeAt(file, chunk, position) {
    for (let at = 0; at < chunk.length;)
        at += (await file.write(chunk, at, chunk.length - at, position + at)).bytesWritten;
}
async function* readRange(file, start, end) {
    for (let at = start; at < end;) {
        const piece = Buffer.alloc(Math.min(64 * 1024, end - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0)
            return;
        yield piece.subarray(0, bytesRead);
        at += bytesRead;
    }
}

;// CONCATENATED MODULE: ./build/js/server/changes/workspace-repositories.js




/** `path` of actions/checkout is seldom deeper. */
const workspace_repositories_depthMax = 3;
const workspace_repositories_foldersMax = 2000;
/**
 * Repositories in a workspace, as relative folders: `.` alone if the workspace is one itself, otherwise those below
 * it, as actions/checkout makes them with `path`.
 */
async function findRepositories(workspace) {
    const found = [];
    let level = ['.'];
    let looked = 0;
    for (let depth = 0; depth <= workspace_repositories_depthMax; depth += 1) {
        const next = [];
        for (const folder of level) {
            if (++looked > workspace_repositories_foldersMax)
                return found;
            if ((await (0,promises_.lstat)((0,external_node_path_.join)(workspace, folder, '.git')).catch(() => undefined)) !== undefined) {
                found.push(folder);
                continue;
            }
            const { entries } = await (0,folders/* readEntries */.$2)((0,external_node_path_.join)(workspace, folder), workspace_repositories_foldersMax);
            for (const entry of entries)
                if (entry.isDirectory() && !skippedFolders.includes(entry.name))
                    next.push((0,external_node_path_.join)(folder, entry.name));
        }
        level = next;
    }
    return found;
}

;// CONCATENATED MODULE: ./build/js/server/changes/workspace-tree.js
/**
 * The files of a repository as one tree, committed or not, without ignored files. The repository itself is only read:
 * index and objects of the tree are outside the workspace.
 */



/** A placeholder in the index only, until git finds that the file does not exist. */
const firstFile = '.agent-run-first-file';
/**
 * `env` names the repository and the index. Commits reachable from one of `merged` are not outside. Throws GitFault.
 */
async function writeTree(parts, { env, merged }) {
    const worktrees = new Set(await listWorktrees(parts, env));
    const branches = await listBranches(parts, env, merged);
    const { opened, linked, left } = await openNested(parts, env, worktrees);
    // A link to a commit that nobody else has would break the submodule for everyone who gets the patch.
    const submodules = [];
    for (const path of [...(await listSubmodules(parts, env)), ...linked])
        if (!(await isPublished(parts, path)))
            submodules.push(path);
    const refused = await addAll(parts, env, [...left, ...submodules]);
    const tree = checkGit(await runGit(parts, ['write-tree'], { env }), 'git cannot write a tree').trim();
    const outside = [
        ...[...worktrees].map(path => `the worktree ${JSON.stringify(path)}`),
        ...branches,
        ...submodules.map(path => `changes in the submodule ${JSON.stringify(path)}`),
        ...opened.map(path => `the commits of ${JSON.stringify(path)}, a repository of its own`),
        ...refused,
    ];
    return { tree, outside };
}
/** Other working trees of the repository, relative to this one. */
async function listWorktrees(parts, env) {
    const own = await (0,promises_.realpath)(parts.cwd).catch(() => parts.cwd);
    const key = 'worktree ';
    const lines = await listLines(parts, ['worktree', 'list', '--porcelain'], {
        env,
        isKept: line => line.startsWith(key),
    });
    return lines.map(line => (0,external_node_path_.relative)(own, line.slice(key.length))).filter(path => path !== '');
}
/** Includes the commit, so that a branch with new commits is reported again. */
async function listBranches(parts, env, merged) {
    const args = [
        'for-each-ref',
        '--format=%(objectname:short) %(refname)',
        ...merged.map(head => `--no-merged=${head}`),
    ];
    const lines = await listLines(parts, [...args, 'refs/heads', 'refs/stash', 'refs/tags'], {
        env,
        isKept: line => line !== '',
    });
    return lines.map(line => {
        const [commit = '', ref = ''] = line.split(' ');
        if (ref === 'refs/stash')
            return `the stash at ${commit}`;
        const [, kind, ...name] = ref.split('/');
        return `the ${kind === 'tags' ? 'tag' : 'branch'} ${JSON.stringify(name.join('/'))} at ${commit}`;
    });
}
/** When the settings of a sparse checkout were last changed. */
async function readSparseMs({ GIT_DIR = '' }) {
    return (await (0,promises_.lstat)((0,external_node_path_.join)(GIT_DIR, 'info', 'sparse-checkout')).catch(() => undefined))?.ctimeMs;
}
/**
 * Copies the index entries of files that the agent's sparse checkout removed from the working tree. Those files were
 * not deleted. Throws GitFault.
 */
async function keepSparseEntries(parts, env) {
    const { GIT_INDEX_FILE: _ofTheTree, ...repository } = env;
    const isKept = (line) => line.startsWith('S ');
    const skipped = await listGit(parts, ['ls-files', '-t', '-s', '-z'], { env: repository, isKept });
    const entries = skipped.map(line => `${line.slice('S '.length)}\0`).join('');
    const added = await runGit(parts, ['update-index', '-z', '--index-info'], { env, stdin: entries });
    checkGit(added, 'git cannot read the sparse checkout');
    const paths = skipped.map(line => `${line.slice(line.indexOf('\t') + 1)}\0`).join('');
    await runGit(parts, ['update-index', '--skip-worktree', '-z', '--stdin'], { env, stdin: paths });
}
/** True if a submodule is clean and its commit is on a remote, so that others can fetch it. */
async function isPublished(parts, path) {
    const within = { ...parts, cwd: (0,external_node_path_.join)(parts.cwd, path) };
    const remote = await askGit(within, ['for-each-ref', '--contains', 'HEAD', '--count=1', 'refs/remotes']);
    return (remote ?? '') !== '' && (await askGit(within, ['status', '--porcelain'])) === '';
}
/**
 * Submodules with another commit than in the index, or with uncommitted changes. A tree contains only their commit.
 */
async function listSubmodules(parts, env) {
    let isSubmodule = false;
    return await listLines(parts, ['diff-files', '-z', '--raw', '--ignore-submodules=none'], {
        env,
        separator: '\0',
        isKept(entry, index) {
            if (index % 2 === 1)
                return isSubmodule;
            isSubmodule = entry.split(' ')[1] === '160000';
            return false;
        },
    });
}
/** Empty if git cannot tell. That loses no patch. */
async function listLines(parts, args, more) {
    return await listGit(parts, args, { separator: '\n', ...more }).catch((error) => {
        if (error instanceof GitFault)
            return [];
        throw error;
    });
}
/**
 * Turns nested repositories, which programs that set up a project leave behind, into plain folders. Git would store a
 * link to a commit that exists nowhere else. With one of its files in the index, git treats it as a folder. Throws
 * GitFault.
 */
async function openNested(parts, env, worktrees) {
    const opened = new Set();
    for (;;) {
        const args = ['ls-files', '--others', '--exclude-standard', '-z'];
        const entries = await listGit(parts, args, { env, isKept: path => path.endsWith('/') });
        const left = [];
        const fresh = [];
        const linked = [];
        for (const path of entries.map(entry => entry.slice(0, -1))) {
            if (opened.has(path))
                continue;
            const isWhole = (await (0,promises_.lstat)((0,external_node_path_.join)(parts.cwd, path, '.git')).catch(() => undefined))?.isDirectory() ?? false;
            (worktrees.has(path) ? left : isWhole ? fresh : linked).push(path);
        }
        if (fresh.length === 0)
            return { opened: [...opened], linked, left };
        for (const path of fresh)
            opened.add(path);
        const id = checkGit(await runGit(parts, ['hash-object', '--stdin'], { env }), 'git cannot name a file').trim();
        const stdin = fresh.map(path => `100644 ${id}\t${path}/${firstFile}\0`).join('');
        const added = await runGit(parts, ['update-index', '--add', '--replace', '-z', '--index-info'], { env, stdin });
        checkGit(added, `git cannot read ${fresh[0]}`);
    }
}
/**
 * Updates the index from the working tree, except the paths in `without`. Returns git's message for each path that it
 * could not read, so that one such path does not cost the others. Throws GitFault.
 */
async function addAll(parts, env, without) {
    const args = ['--', '.', ...without.map(path => `:(top,exclude,literal)${path}`)];
    // Warnings about line ends must not stop git.
    const more = { env, config: [['core.safecrlf', 'false']] };
    const add = ['add', '--all', '--ignore-errors'];
    // Files outside a sparse checkout are changes too. Git before 2.34 neither knows nor needs the option.
    let added = await runGit(parts, [...add, '--sparse', ...args], more);
    if (hasExited(added, 129))
        added = await runGit(parts, [...add, ...args], more);
    // Git reports most faulty paths twice.
    const words = /^(?:error: (?!unable to (?:index file|add) )|warning: (?=could not open directory ))(.+)$/gm;
    const refused = [...added.output.matchAll(words)].map(([, said = '']) => said);
    if (refused.length === 0 || !hasExited(added, 1))
        checkGit(added, 'git cannot read the working tree');
    return refused;
}
function hasExited({ end }, code) {
    return end.kind === 'ended' && end.exitCode === code;
}

;// CONCATENATED MODULE: ./build/js/server/changes/workspace-changes.js
/**
 * Changes of an agent in the repositories of its workspace, as patches between two trees: before it began and after
 * it ended.
 */






const patchName = 'changes.patch';
/** Limit on repositories in a workspace that nothing was cloned into: git is started about ten times for each. */
const repositoriesMax = 20;
/**
 * The repositories in the workspace before the run begins to work: those that were cloned for it, or otherwise any
 * that exist. `image` is that of the container that git works in.
 */
async function takeBaselines(parts, runId, { clones, image }) {
    const baselines = [];
    const paths = clones.length === 0
        ? await findRepositories(parts.folder.workspace)
        : clones.map(({ repository }) => repository.path);
    const git = image === undefined ? 'git' : `the git of the image ${image}`;
    for (const path of paths) {
        if (clones.length === 0 && baselines.length === repositoriesMax) {
            const fault = `there were more than ${repositoriesMax} repositories in the workspace, and git looked at no others`;
            baselines.push({ path, fault });
            break;
        }
        const cwd = (0,external_node_path_.join)(parts.folder.workspace, path);
        // Publishing compares with those of the conversation's first run.
        const own = (0,external_node_path_.join)(parts.folder.state, 'changes', runId, String(baselines.length));
        try {
            baselines.push({ path, ...(await takeBaseline({ ...parts, cwd }, own, git)) });
        }
        catch (error) {
            if (!(error instanceof GitFault))
                throw error;
            baselines.push({ path, fault: error.message });
        }
    }
    return baselines;
}
async function takeBaseline(parts, own, git) {
    const wanted = ['--git-path', 'objects', '--git-path', 'index', '--absolute-git-dir'];
    // A folder within a larger repository is not that repository.
    const asked = await runGit(parts, ['rev-parse', ...wanted], { env: { GIT_DIR: '.git' } });
    const told = checkGit(asked, `${git} cannot read the repository`);
    const [objects = '', index = '', gitDir = ''] = told
        .split('\n')
        .map(found => ((0,external_node_path_.isAbsolute)(found) ? found : (0,external_node_path_.join)(parts.cwd, found)));
    await (0,promises_.mkdir)((0,external_node_path_.join)(own, 'objects'), { recursive: true, mode: 0o700 });
    const env = {
        // An agent may write to the repository's own setting for this.
        GIT_DIR: gitDir,
        GIT_WORK_TREE: parts.cwd,
        GIT_INDEX_FILE: (0,external_node_path_.join)(own, 'index'),
        GIT_OBJECT_DIRECTORY: (0,external_node_path_.join)(own, 'objects'),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    };
    // With it, git reads only files that have changed since.
    await copyIndex(parts, index, env.GIT_INDEX_FILE);
    return { env, sparseMs: await readSparseMs(env), ...(await writeTree(parts, { env, merged: [] })) };
}
/**
 * Copied by a program of the run, in git's container: an agent of an earlier run may have replaced the index with a
 * pipe, or with a link that leads out of its container. Without an index git reads every file.
 */
async function copyIndex({ folder, cwd, searchPath, execute }, from, to) {
    const script = '[ -f "$1" ] && [ ! -L "$1" ] && exec cp -- "$1" "$2"';
    const env = { PATH: searchPath, HOME: folder.home };
    await execute({ argv: ['sh', '-c', script, 'sh', from, to], cwd, env, stdin: '' }, async () => { });
}
/** Makes the patches, as parts of the server's file. */
async function writePatches(parts, baselines, file) {
    const patches = [];
    const lost = [];
    const outside = [];
    let bytes = 0;
    for (const baseline of baselines) {
        const { path } = baseline;
        const where = path === '.' ? '' : `in ${path}: `;
        try {
            if ('fault' in baseline)
                throw new GitFault(`when the agent began, ${baseline.fault}`);
            const at = { ...parts, cwd: (0,external_node_path_.join)(parts.folder.workspace, path) };
            const { env, tree, sparseMs } = baseline;
            if ((await readSparseMs(env)) !== sparseMs)
                await keepSparseEntries(at, env);
            const known = new Set(baseline.outside);
            const now = await writeTree(at, { env, merged: ['HEAD'] });
            outside.push(...now.outside.filter(name => !known.has(name)).map(name => `${where}${name}`));
            if (now.tree === tree)
                continue;
            const below = path === '.' ? '' : `${path}/`;
            // Not `git diff`: settings of the repository can make it write a patch that does not apply.
            const args = [
                ...['diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-color'],
                ...['--ignore-submodules=none', `--src-prefix=a/${below}`, `--dst-prefix=b/${below}`, tree, now.tree],
            ];
            // By standard output: a program that git executes for the repository could replace a file.
            const text = await file.keep(async (onStdout) => {
                checkGit(await runGit(at, args, { env, onStdout }), 'git cannot compare');
            }, sizes/* sizes */.L.artifactBytes - bytes);
            if (text.bytes > 0)
                patches.push({ ...text, path });
            bytes += text.bytes;
        }
        catch (error) {
            if (!(error instanceof GitFault))
                throw error;
            lost.push(`${where}${error.message}`);
        }
    }
    const isTooLarge = bytes > sizes/* sizes */.L.artifactBytes;
    if (isTooLarge)
        lost.push(`they are ${bytes} bytes, more than the ${sizes/* sizes */.L.artifactBytes} that a run may leave`);
    const kept = isTooLarge ? [] : patches;
    if (lost.length === 0)
        return { patches: kept, lost: undefined, outside };
    const what = kept.length === 0 ? `could not be made into ${patchName}` : `are not all in ${patchName}`;
    return { patches: kept, lost: `the changes of the workspace ${what}: ${lost.join('; ')}`, outside };
}

;// CONCATENATED MODULE: ./build/js/server/worker/artifact-files.js
/**
 * The files that a run leaves in its artifacts folder. They are collected when no process of the run can still change
 * them.
 */









const artifactsFolder = 'artifacts';
const artifact_files_depthMax = 8;
/** Limit on entries to look at, so that a huge folder ends. */
const artifact_files_entriesMax = 10_000;
const namedMax = 3;
/** Path of the stored copy. */
function locateArtifact(dataDir, runId, artifactUid) {
    return (0,external_node_path_.join)(dataDir, artifactsFolder, runId, artifactUid);
}
/**
 * Copies the files into the data folder. Skips links, pipes and devices. `patch` is the server's own: it comes first,
 * counts toward no limit, and no other artifact may have its name, because clients take that one for the changes.
 */
async function takeArtifacts(folder, { dataDir, runId, patch }) {
    const artifacts = [];
    const hasPatch = patch.length > 0;
    const findPlace = () => {
        const uid = (0,v7/* default */.A)();
        return { uid, file: locateArtifact(dataDir, runId, uid) };
    };
    if (hasPatch) {
        const { uid, file } = findPlace();
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(file), { recursive: true, mode: 0o700 });
        await writeTexts(patch, file);
        artifacts.push(describeFile({ uid, path: patchName, bytes: patch.reduce((sum, { bytes }) => sum + bytes, 0) }));
    }
    const { files, unnamed, skipped, isWhole } = await listFiles(folder.artifacts);
    let bytesLeft = sizes/* sizes */.L.artifactBytes;
    const tooMany = [];
    const tooLarge = [];
    const unread = [];
    const filesMax = sizes/* sizes */.L.artifactFiles + artifacts.length;
    for (const path of files) {
        if (path === patchName)
            continue;
        if (artifacts.length >= filesMax) {
            tooMany.push(path);
            continue;
        }
        const { uid, file } = findPlace();
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(file), { recursive: true, mode: 0o700 });
        const bytes = await (0,border_files/* copyPlainFile */.yp)((0,external_node_path_.join)(folder.artifacts, path), { to: file, bytesMax: bytesLeft });
        if (bytes === 'too large')
            tooLarge.push(path);
        else if (bytes === undefined)
            unread.push(path);
        else {
            artifacts.push(describeFile({ uid, path, bytes }));
            bytesLeft -= bytes;
        }
    }
    const leftOut = [
        ...(!hasPatch && files.includes(patchName)
            ? [`${patchName}, a name reserved for changes found by the server`]
            : []),
        ...(tooMany.length > 0
            ? [
                `${(0,base_text/* counted */.hS)(tooMany.length, 'file')} beyond the limit of ${sizes/* sizes */.L.artifactFiles} for one run (${nameFew(tooMany)})`,
            ]
            : []),
        ...(tooLarge.length > 0
            ? [
                `${(0,base_text/* counted */.hS)(tooLarge.length, 'file')} beyond the limit of ${sizes/* sizes */.L.artifactBytes} bytes for one run (${nameFew(tooLarge)})`,
            ]
            : []),
        ...(unread.length > 0 ? [`${(0,base_text/* counted */.hS)(unread.length, 'file')} that cannot be read (${nameFew(unread)})`] : []),
        ...(unnamed > 0 ? [`${(0,base_text/* counted */.hS)(unnamed, 'thing')} with a name that is not UTF-8`] : []),
        ...(skipped.length > 0
            ? [`${nameFew(skipped)}, which ${skipped.length === 1 ? 'is not a regular file' : 'are not regular files'}`]
            : []),
        ...(isWhole ? [] : [`everything after the first ${artifact_files_entriesMax} files and folders`]),
    ];
    return { artifacts, leftOut: leftOut.length === 0 ? undefined : `not kept as artifacts: ${leftOut.join('; ')}` };
}
/** `"a", "b" and 3 others`. */
function nameFew(paths) {
    const named = paths.slice(0, namedMax).map(path => JSON.stringify(path));
    const more = paths.length > namedMax ? ` and ${(0,base_text/* counted */.hS)(paths.length - namedMax, 'other')}` : '';
    return `${named.join(', ')}${more}`;
}
function describeFile({ uid, path, bytes, }) {
    const filename = path.slice(path.lastIndexOf('/') + 1);
    return {
        type: 'FILE',
        data: {
            artifact_uid: uid,
            filename,
            filepath: path,
            mime_type: typeOf(filename),
            size_bytes: bytes,
        },
    };
}
/** Types that a client can do something with. */
const artifact_files_mimeTypes = {
    css: 'text/css',
    csv: 'text/csv',
    diff: 'text/x-diff',
    gif: 'image/gif',
    gz: 'application/gzip',
    htm: 'text/html',
    html: 'text/html',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    js: 'text/javascript',
    json: 'application/json',
    log: 'text/plain',
    md: 'text/markdown',
    patch: 'text/x-diff',
    pdf: 'application/pdf',
    png: 'image/png',
    svg: 'image/svg+xml',
    tar: 'application/x-tar',
    txt: 'text/plain',
    webp: 'image/webp',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    zip: 'application/zip',
};
/** By file name extension. Any other file is bytes. */
function typeOf(filename) {
    const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
    return (Object.hasOwn(artifact_files_mimeTypes, ending) ? artifact_files_mimeTypes[ending] : undefined) ?? 'application/octet-stream';
}
async function listFiles(root) {
    const files = [];
    let unnamed = 0;
    const skipped = [];
    let left = artifact_files_entriesMax;
    let isWhole = true;
    const visit = async (folder, depth) => {
        const isFolder = (await (0,promises_.lstat)((0,external_node_path_.join)(root, folder)).catch(() => undefined))?.isDirectory() ?? false;
        if (!isFolder)
            return;
        const found = await (0,folders/* readEntries */.$2)((0,external_node_path_.join)(root, folder), left);
        left -= found.entries.length;
        isWhole &&= found.isWhole;
        for (const entry of found.entries) {
            const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
            // Invalid bytes become U+FFFD, which another name may really contain.
            const isUnnamed = entry.name.includes('\uFFFD') && !(await artifact_files_isThere((0,external_node_path_.join)(root, path)));
            if (isUnnamed)
                unnamed += 1;
            else if (entry.isFile())
                files.push(path);
            else if (entry.isDirectory() && depth < artifact_files_depthMax)
                await visit(path, depth + 1);
            else
                skipped.push(path);
        }
    };
    await visit('', 0);
    return { files, unnamed, skipped, isWhole };
}
async function artifact_files_isThere(path) {
    return (await (0,promises_.lstat)(path).catch(() => undefined)) !== undefined;
}

;// CONCATENATED MODULE: ./build/js/server/worker/bounded-work.js
/**
 * Waits for a promise at most `ms`, or `spareMs` after the signal aborts. Returns undefined if it takes longer: the
 * work continues, but nobody waits for its result.
 */
async function waitWithin(work, { clock, ms, spareMs, signal, }) {
    const over = new AbortController();
    const sleepOn = (error) => {
        if (over.signal.aborted)
            throw error;
        return clock.sleep(spareMs, over.signal);
    };
    const late = clock
        .sleep(ms, AbortSignal.any([over.signal, signal]))
        .catch(sleepOn)
        .then(() => undefined, () => undefined);
    try {
        return await Promise.race([work.then(made => ({ made })), late]);
    }
    finally {
        over.abort();
        await late;
    }
}
/** Bounds a step after the agent. If the step takes too long, logs that and returns `instead`. */
async function finishWithin({ clock, after, signal, log, run, events }, what, work, instead) {
    const { patchMs, spareMs } = after;
    const done = await waitWithin(work, { clock, ms: patchMs + spareMs, spareMs, signal });
    if (done !== undefined)
        return done.made;
    log('error', 'a step after the agent does not end', { run: run.runId, what });
    await events.writeWarning(`${what} could not be found in time`);
    return instead;
}

;// CONCATENATED MODULE: ./build/js/server/worker/claim-watch.js

/** Longest delay after a lost wake-up. */
const lookMs = 5000;
/**
 * How long a lease may have lapsed before the worker stops the run by itself. Usually the store's upkeep requests the
 * cancellation first, but on a full disk it cannot write.
 */
const lapsedLeaseMs = 5000;
/** The run's own events wake the watch too, so this bounds how often it looks. */
const claim_watch_pauseMs = 100;
/**
 * Watches a claimed run while its program works. Calls `onStop` once when the run must be canceled, is over, or was
 * given to another worker. Returns a function that stops watching.
 */
function watchClaim({ store, clock, log, claim }, onStop) {
    const over = new AbortController();
    let wake = () => { };
    const stopListening = store.onChange(runId => {
        if (runId === claim.runId)
            wake();
    });
    over.signal.addEventListener('abort', stopListening, { once: true });
    let lapsedAtMs;
    const look = async () => {
        const run = await store.readRun(claim.runId);
        if (run === undefined || run.state !== 'INPROGRESS' || run.attempt !== claim.attempt)
            return { kind: 'lost' };
        if (run.cancelRequestedAt !== undefined)
            return { kind: 'cancel', reason: run.cancelReason ?? 'cancelled' };
        const isLapsed = run.leaseExpiresAt !== undefined && run.leaseExpiresAt <= clock.now();
        lapsedAtMs = isLapsed ? (lapsedAtMs ?? clock.monotonicMs()) : undefined;
        if (lapsedAtMs === undefined || clock.monotonicMs() - lapsedAtMs < lapsedLeaseMs)
            return undefined;
        return { kind: 'cancel', reason: `its lease of ${run.leaseSeconds} s expired, so nobody is waiting for it` };
    };
    const watch = async () => {
        while (!over.signal.aborted) {
            // Renew the wake-up before the look, so none is lost during it.
            const { promise: woken, resolve } = Promise.withResolvers();
            wake = resolve;
            const stop = await look().catch(error => {
                log('warn', 'could not check on a run', { run: claim.runId, error: describeError(error) });
            });
            if (over.signal.aborted)
                return;
            if (stop !== undefined) {
                over.abort();
                onStop(stop);
                return;
            }
            const nap = new AbortController();
            await Promise.race([woken, clock.sleep(lookMs, AbortSignal.any([over.signal, nap.signal]))]).catch(() => { });
            nap.abort();
            await clock.sleep(claim_watch_pauseMs, over.signal).catch(() => { });
        }
    };
    void watch();
    return () => over.abort();
}

;// CONCATENATED MODULE: ./build/js/server/worker/late-work.js
/**
 * Work that is still done for a stopped run. A patch is made only if that is quick, because the caller who canceled
 * is waiting.
 */
/** Limit for git in milliseconds, instead of its usual one. */
const lateMs = { canceled: 2000, stopped: 10_000 };
/** Undefined if the run ended by itself in time; 'too_late' if no more work may be done for it. */
function findLateness(ending, stop) {
    if (ending === undefined)
        return 'too_late';
    if (stop?.kind === 'cancel')
        return 'canceled';
    if (stop?.kind === 'limit' || ending.statusMessage?.error_code === 'time_limit')
        return 'stopped';
    return stop === undefined ? undefined : 'too_late';
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-artifacts.js




/**
 * Adds the artifacts after any ending: files of a failed run may explain the failure. A BLOCKED run still works on
 * them.
 */
async function addArtifacts(context, ending) {
    if (ending === undefined || ending.state === 'BLOCKED' || ending.state === 'QUEUED')
        return ending;
    const { dataDir, run, folder, events, log, progress } = context;
    // Names of files from an earlier part of the run cannot be redacted before the agent's secrets are known.
    if (progress.redactor === undefined)
        return { ...ending, artifacts: progress.published };
    const { redact } = progress.redactor;
    try {
        const taking = takeArtifacts(folder, { dataDir, runId: run.runId, patch: progress.patches });
        const nothing = { artifacts: [], leftOut: undefined };
        const { artifacts, leftOut } = await finishWithin(context, 'its artifacts', taking, nothing);
        if (leftOut !== undefined)
            await events.writeWarning(redact(leftOut));
        return { ...ending, artifacts: [...progress.published, ...(0,border_secrets/* redactValue */.FI)(artifacts, redact)] };
    }
    catch (error) {
        log('warn', 'could not keep the artifacts of a run', { run: run.runId, error: describeError(error) });
        await events.writeWarning('could not keep the artifacts of the run').catch(() => { });
        return { ...ending, artifacts: progress.published };
    }
}

;// CONCATENATED MODULE: ./build/js/server/changes/pull-request.js
/** Pull requests by octokit, which is loaded when the first one is opened. */






/** GitHub's limit is 65,536 characters. */
const bodyBytesMax = 60_000;
const titleMax = 200;
/** A fence longer than any row of backticks in the text. */
const fenceLength = 20;
/**
 * Opens a pull request, or finds the one whose response was lost. Returns its address. Throws Error with a sentence,
 * or the signal's reason.
 */
async function openPullRequest({ repository, title, body, head, base }, { host, signal }) {
    const { apiUrl } = host;
    const token = await tokenOf(host, repository, signal);
    const { redact } = (0,border_secrets/* createRedactor */.lY)([token]);
    const { Octokit } = await loadOctokit(apiUrl);
    const { pulls } = new Octokit({ auth: token }).rest;
    const [owner = '', repo = ''] = repository.split('/');
    try {
        // Not retried: if the response was lost, the pull request is looked up.
        const request = { signal, retries: 0 };
        const made = await pulls.create({ owner, repo, title: (0,base_text/* ellipsis */.gO)(title, titleMax), body, head, base, request });
        return pull_request_readAddress(made.data);
    }
    catch (error) {
        signal.throwIfAborted();
        const refused = describeRedirect(error, apiUrl) ?? describeRefusal(error, redact);
        if (refused !== undefined)
            throw new Error(refused, { cause: error });
        // It is unknown whether it was opened.
        const asked = { owner, repo, head: `${owner}:${head}`, base, state: 'all', request: { signal } };
        const found = await pulls.list(asked).then(({ data }) => data, () => undefined);
        signal.throwIfAborted();
        if (Array.isArray(found) && found.length > 0)
            return pull_request_readAddress(found[0]);
        throw new Error(describeFault(error, { apiUrl, redact }), { cause: error });
    }
}
/** An agent's text, quoted in other Markdown. As code it mentions nobody, closes no issue and loads no picture. */
function printPullRequestBody(result, { runId, pageUrl }) {
    const whole = (0,terminal_text/* terminalText */.eR)(result)
        .trim()
        .replace(/`{20,}/g, '`'.repeat(fenceLength - 1));
    const shown = (0,base_text/* headOfUtf8 */.$n)(whole, bodyBytesMax);
    const cut = shown.length < whole.length ? '\n\nThe result is longer. See the run for more.' : '';
    const fence = '`'.repeat(fenceLength);
    const text = shown === '' ? 'The agent did not describe its changes.' : `${fence}text\n${shown}\n${fence}`;
    return `${text}${cut}\n\nMade by the run [${runId}](${pageUrl}).\n`;
}
function pull_request_readAddress(data) {
    const url = (0,json/* isObject */.Gv)(data) ? data.html_url : undefined;
    if (typeof url === 'string' && /^https?:\/\/[^\s]{1,2000}$/.test(url))
        return url;
    throw new NoAnswer('pull request');
}

;// CONCATENATED MODULE: ./build/js/server/changes/workspace-publish.js
/**
 * Publishes a run's changes as a branch and a pull request. The agent's clone is not used: its patch is applied to a
 * commit fetched into a new folder, so no hook, filter or setting of the agent sees the token.
 */









const author = { name: 'agent-run', email: 'agent-run@localhost' };
/** Throws RunFailure (publish_failed), and errors of `execute`. */
async function publishChanges(publication, parts) {
    const { clones, changes } = publication;
    if (changes.lost !== undefined)
        throw failed(changes.lost);
    if (changes.patches.length === 0) {
        const where = changes.outside.length === 0 ? '' : ' in the working tree itself';
        return await parts.writeLog(`nothing changed${where}, so nothing was published`);
    }
    for (const patch of changes.patches) {
        const clone = clones.find(({ repository }) => repository.path === patch.path);
        if (clone !== undefined)
            await publishPatch(publication, { clone, patch }, parts);
    }
}
async function publishPatch({ environment, resultText }, { clone, patch }, parts) {
    const { name, url } = clone.repository;
    const { run } = parts;
    const branch = `agent-run/${run.runId}`;
    await parts.writeLog(`publishing the branch ${branch} to ${name}, ${url}`);
    const commit = await makeCommit({ clone, patch }, parts);
    const pushed = await runHostGit(commit.parts, url, [
        ...['push', '--quiet', '--no-verify', '--no-recurse-submodules', '--', url],
        `${commit.sha}:refs/heads/${branch}`,
    ]);
    workspace_publish_check(pushed, `could not push the branch ${branch} to ${name}`);
    await parts.writeLog(`pushed the branch ${branch} to ${name}`);
    const host = parts.git.hosts[new URL(url).host];
    if (environment.publish === 'branch' || host === undefined) {
        parts.onArtifact(describeBranch(clone, branch, host !== undefined));
        return;
    }
    const base = environment.publishBase ?? clone.branch ?? clone.usualBranch;
    if (base === undefined)
        throw failed(`${name}: no branch was checked out that the pull request could be for; name one with publish_base`);
    const opened = await openPullRequest({
        repository: name,
        title: oneLine(run.title),
        body: printPullRequestBody(resultText, { runId: run.runId, pageUrl: parts.pageUrl(run.runId) }),
        head: branch,
        base,
    }, { host, signal: parts.signal }).catch((error) => {
        parts.onArtifact(describeBranch(clone, branch, true));
        if (parts.signal.aborted || !(error instanceof Error))
            throw error;
        throw failed(`the branch ${branch} is in ${name}, but no pull request for ${base} could be opened: ${error.message}`);
    });
    parts.onArtifact({ type: 'PULL_REQUEST', data: { url: opened, branch } });
    await parts.writeLog(`opened the pull request ${opened}`);
}
/**
 * Applies the patch to the commit that the run began with. Without a working tree, git executes nothing that the tree
 * asks for.
 */
async function makeCommit({ clone, patch }, parts) {
    const { name, url, path } = clone.repository;
    if (clone.commit === undefined)
        throw failed(`${name} is empty, so there is no commit to branch from`);
    const root = (0,external_node_path_.join)(parts.folder.root, 'publish');
    await (0,folders/* removeTree */.dM)(root);
    const folder = {
        ...parts.folder,
        workspace: (0,external_node_path_.join)(root, 'repository'),
        state: (0,external_node_path_.join)(root, 'state'),
        home: (0,external_node_path_.join)(root, 'home'),
    };
    for (const made of [root, folder.workspace, folder.state, folder.home])
        await (0,promises_.mkdir)(made, { mode: 0o700 });
    const own = { git: parts.git, signal: parts.signal, searchPath: parts.searchPath, execute: parts.execute, folder };
    workspace_publish_check(await runGit(own, ['init', '--quiet', '--bare', '--template=']), `${name}: git cannot make a repository`);
    const fetched = await runHostGit(own, url, [
        ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, `+${clone.commit}`],
    ]);
    workspace_publish_check(fetched, `could not fetch ${clone.commit} from ${name}`);
    workspace_publish_check(await runGit(own, ['read-tree', clone.commit]), `${name}: git cannot read ${clone.commit}`);
    const depth = path === '.' ? 1 : 1 + path.split('/').length;
    const patchFile = (0,external_node_path_.join)(root, 'patch');
    await writeTexts([patch], patchFile);
    const applied = await runGit(own, ['apply', '--cached', '--whitespace=nowarn', `-p${depth}`, '--', patchFile]);
    workspace_publish_check(applied, `the changes do not apply to ${name} at ${clone.commit.slice(0, 7)} without the changes of the setup commands`);
    const tree = (await askGit(own, ['write-tree']))?.trim() ?? '';
    const env = {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
    };
    const message = ['-m', oneLine(parts.run.title), '-m', `Run: ${parts.run.runId}`];
    const sha = (await askGit(own, ['commit-tree', '-p', clone.commit, ...message, tree], { env }))?.trim();
    if (sha === undefined)
        throw failed(`${name}: git cannot make a commit`);
    return { sha, parts: own };
}
function describeBranch({ repository: { name, url } }, branch, hasPages) {
    const page = url.replace(/\/+$/, '').replace(/\.git$/, '');
    return {
        type: 'EXTERNAL_REFERENCE',
        data: {
            reference_type: 'branch',
            url: hasPages ? `${page}/tree/${branch}` : url,
            title: branch,
            metadata: { repository: name, branch },
        },
    };
}
function oneLine(text) {
    return (0,terminal_text/* plainLine */.h0)(text).replace(/\s+/g, ' ').trim() || 'Changes of a run';
}
function workspace_publish_check(outcome, what) {
    if (outcome.end.kind === 'not_started' || outcome.end.exitCode !== 0)
        throw failed(`${what}${explainGit(outcome)}`);
}
function failed(message) {
    return new run_failure_RunFailure('publish_failed', message);
}

;// CONCATENATED MODULE: ./build/js/server/changes/kept-changes.js
/** What happens to a run's changes after its agent has ended. */






/** Limit on names of work outside the patch. An agent can make thousands. */
const kept_changes_namedMax = 20;
/** Finds the run's changes. Never throws: the run has ended and its outcome is known. */
async function keepChanges(git, { own, first, isPublished, openFile }, { warn, log, run: { runId } }) {
    if (own.length === 0 && first.length === 0)
        return { own: [], published: { patches: [], lost: undefined, outside: [] } };
    try {
        const file = await openFile();
        const found = await writePatches(git, own, file);
        if (found.lost !== undefined)
            await warn(found.lost);
        if (found.outside.length > 0)
            await warn(`not in ${patchName}: ${kept_changes_nameFew(found.outside)}`);
        const published = isPublished && first !== own ? await writePatches(git, first, file) : found;
        return { own: found.patches, published };
    }
    catch (error) {
        if (error instanceof RunStopped)
            return keptNothing('could not keep the changes in the workspace');
        if (!(error instanceof run_failure_RunFailure))
            log('warn', 'could not keep the changes of a run', { run: runId, error: describeError(error) });
        const why = error instanceof run_failure_RunFailure ? `: ${error.message}` : '';
        const lost = `the changes of the workspace could not be made into ${patchName}${why}`;
        await warn(lost).catch(() => { });
        return keptNothing(lost);
    }
}
function kept_changes_nameFew(names) {
    const more = names.length > kept_changes_namedMax ? `; and ${(0,base_text/* counted */.hS)(names.length - kept_changes_namedMax, 'other')}` : '';
    return `${names.slice(0, kept_changes_namedMax).join('; ')}${more}`;
}
function keptNothing(lost) {
    return { own: [], published: { patches: [], lost, outside: [] } };
}
/** A filter of the repository may take long. Log that, because the agent prints nothing any more. */
async function logIfSlow(work, { clock, slowMs, writeLog }) {
    const over = new AbortController();
    const logging = clock
        .sleep(slowMs, over.signal)
        .then(() => writeLog(`the agent has ended; git is still collecting its changes for ${patchName}`))
        .catch(() => { });
    try {
        return await work;
    }
    finally {
        over.abort();
        await logging;
    }
}
/**
 * Publishes the changes of a successful run if its environment says so. If a requested pull request cannot be opened,
 * the run fails, but keeps its result. Throws errors of `execute` when the run is given up.
 */
async function publishSuccess(ending, { environment, clones, changes, hasSurvivors, }, parts) {
    if (ending?.state !== 'SUCCEEDED' || environment === undefined || environment.publish === 'none')
        return ending;
    // A pull request's readers see nothing else of the run.
    const resultText = (0,run_text/* printRunText */.G)(ending.result ?? (0,run_text/* wholeText */.r)(''));
    try {
        if (hasSurvivors)
            throw new run_failure_RunFailure('publish_failed', 'a process of the agent could not be killed, and would see the token');
        await publishChanges({ environment, clones, changes, resultText }, parts);
        return ending;
    }
    catch (error) {
        if (!(error instanceof run_failure_RunFailure))
            throw error;
        const message = `the agent succeeded, but publishing its changes failed: ${error.message}`;
        return endWithCode(error.code, message, ending.result);
    }
}

;// CONCATENATED MODULE: ./build/js/server/workspace/left-behind.js
/**
 * Files that an agent leaves in its workspace outside the repositories. They are removed with the run and are in no
 * patch.
 */




/** Limit on entries to look at, so that a huge folder ends. */
const left_behind_entriesMax = 10_000;
const left_behind_namedMax = 5;
/** A timestamp of the file system from before the agent starts. Later changes are the agent's. */
async function markBeginning({ state }) {
    const path = (0,external_node_path_.join)(state, 'began');
    // An earlier run of the conversation may have left anything there.
    const file = await (0,promises_.open)(path, 'wx', 0o600).catch(async () => {
        await (0,folders/* removeTree */.dM)(path);
        return await (0,promises_.open)(path, 'wx', 0o600);
    });
    try {
        return (await file.stat()).ctimeMs;
    }
    finally {
        await file.close();
    }
}
/** Logs them in the run. It is a warning if there are repositories, because then work was meant to be kept. */
async function reportLeftBehind(folder, { baselines, sinceMs, redact, events, }) {
    const repositories = baselines.map(({ path }) => path);
    const described = await describeLeftBehind(folder, { repositories, sinceMs });
    if (described === undefined)
        return;
    const text = redact(described);
    if (repositories.length === 0)
        await events.writeSystem(text);
    else
        await events.writeWarning(text);
}
/**
 * A sentence about files that were changed since then and are kept nowhere. Undefined if there are none.
 * `repositories` are folders below the workspace, with slashes; `.` is the workspace itself. Never throws.
 */
async function describeLeftBehind({ workspace, hasOwnWorkspace }, { repositories, sinceMs }) {
    if (!hasOwnWorkspace || repositories.includes('.'))
        return undefined;
    let looked = 0;
    const list = async (folder) => {
        const { entries } = await (0,folders/* readEntries */.$2)((0,external_node_path_.join)(workspace, folder), Math.max(0, left_behind_entriesMax - looked));
        return entries.map(entry => ({
            path: folder === '' ? entry.name : `${folder}/${entry.name}`,
            isFolder: entry.isDirectory(),
        }));
    };
    const isChanged = async (path, isFolder) => {
        looked += 1;
        if (looked > left_behind_entriesMax)
            return false;
        if (!isFolder)
            return ((await (0,promises_.lstat)((0,external_node_path_.join)(workspace, path)).catch(() => undefined))?.ctimeMs ?? 0) > sinceMs;
        for (const entry of await list(path))
            if (await isChanged(entry.path, entry.isFolder))
                return true;
        return false;
    };
    const find = async (folder) => {
        const found = [];
        for (const { path, isFolder } of await list(folder)) {
            if (repositories.includes(path))
                continue;
            if (isFolder && repositories.some(repository => repository.startsWith(`${path}/`)))
                found.push(...(await find(path)));
            else if (await isChanged(path, isFolder))
                found.push(isFolder ? `${path}/` : path);
        }
        return found;
    };
    const found = await find('');
    if (found.length === 0)
        return undefined;
    const more = found.length > left_behind_namedMax ? ` and ${(0,base_text/* counted */.hS)(found.length - left_behind_namedMax, 'other')}` : '';
    const named = found.slice(0, left_behind_namedMax).map(path => JSON.stringify(path));
    const where = repositories.length === 0 ? 'any repository' : repositories.join(' and ');
    return `files outside ${where} are not kept: ${named.join(', ')}${more}; to keep files, put them into the folder that AGENT_RUN_ARTIFACTS names`;
}

;// CONCATENATED MODULE: ./build/js/server/workspace/run-container.js



/**
 * Folders of a run that a container mounts. Each one is mounted by itself, never their parent: a mount point cannot
 * be replaced by a symlink from inside, so the server does not follow one later.
 */
function placeContainer(image, folder, { isAgent, readable = [], }) {
    const { workspace, home, temporary, state, artifacts, resultFile } = folder;
    const skills = placedSkillsFolder(folder);
    return {
        image,
        writable: [workspace, home, temporary, ...(isAgent ? [state, artifacts, (0,external_node_path_.dirname)(resultFile)] : [])],
        readable: [...((0,external_node_fs_.existsSync)(skills) ? [skills] : []), ...readable],
    };
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-ending.js




/**
 * The ending of a run that was given up. Undefined if there is nothing to write. The cause of a fault goes to the log
 * only.
 */
function endByStop(stop, { runId, log, result, hasBegun = true, }) {
    switch (stop.kind) {
        case 'lost':
            return undefined;
        case 'cancel':
            return { state: 'CANCELLED', statusMessage: { message: stop.reason }, result };
        case 'limit':
            return endWithCode(stop.failure.code, stop.failure.message, result);
        case 'stopping':
            return endWithCode('resource_unavailable', 'the server stopped before the run ended. Part of its work may be done', result);
        case 'fault': {
            const shortage = hasBegun ? undefined : (0,process_shortage/* findShortage */.J)(stop.error);
            if (shortage !== undefined)
                return putBack(shortage);
            const trace = (0,external_node_crypto_.randomUUID)();
            log('error', 'internal error during a run', { run: runId, trace, error: traceError(stop.error) });
            return endWithCode('internal_error', `the server failed during the run. Its log has the cause under ${trace}`, result);
        }
    }
}
/** The run itself is fine and has had no effects. */
function putBack(shortage) {
    const message = `the server is short of open files, processes or memory (${shortage}) and could not start the agent. It will try again`;
    return { state: 'QUEUED', statusMessage: { message } };
}
/** `1 minute 30 seconds`. */
function describeDuration(ms) {
    const tenths = Math.max(1, Math.round(ms / 100));
    const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
    const parts = [minutes > 0 && countUnit(minutes, 'minute'), seconds > 0 && countUnit(seconds, 'second')];
    return parts.filter(part => part !== false).join(' ');
}
function countUnit(count, unit) {
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-programs.js




class RunPrograms {
    startMs;
    #parts;
    #hasSurvivors = false;
    constructor(parts) {
        this.#parts = parts;
        this.startMs = parts.clock.monotonicMs();
    }
    /** Whether a process of the run could not be killed. */
    get hasSurvivors() {
        return this.#hasSurvivors;
    }
    /** Executes a program as a process of the run, within the rest of its time. */
    async execute(command, onOutput, { container, ...bounds } = {}) {
        const { executor, limits, run, folder, signal } = this.#parts;
        return await executor.execute({
            command,
            container,
            runId: run.runId,
            runDir: folder.root,
            scratchDir: folder.state,
            onOutput,
            timeLimitMs: this.#timeLeftMs,
            graceMs: limits.grace_seconds * 1000,
            signal,
            ...bounds,
        });
    }
    get #timeLeftMs() {
        const { clock, limits } = this.#parts;
        return Math.max(1, limits.run_minutes * 60_000 - (clock.monotonicMs() - this.startMs));
    }
    /** Throws ContainerFault, and when the run is given up or has no time left. */
    async prepareImage(image) {
        const { executor, clock, events, signal } = this.#parts;
        const over = new AbortController();
        const late = new AbortController();
        clock.sleep(this.#timeLeftMs, over.signal).then(() => late.abort(new run_failure_RunFailure('time_limit', `${this.describeTimeLimit()}. It was pulling the image ${image}`)), () => { });
        try {
            await executor.prepareImage(image, {
                signal: AbortSignal.any([signal, late.signal]),
                onPull: () => events.writeSystem(`pulling the image ${image}`),
            });
        }
        finally {
            over.abort();
        }
        await events.writeSystem(`container: ${image}`);
    }
    /** Executes one of the server's own programs. Throws when it was stopped. */
    async executeFully(command, onOutput, container) {
        const end = await this.execute(command, onOutput, { container });
        if (end.kind === 'ended' && end.stopped === 'time_limit')
            throw new run_failure_RunFailure('time_limit', this.describeTimeLimit());
        if (end.kind === 'ended' && end.stopped === 'signal')
            throw new RunStopped(this.findStop());
        return end;
    }
    /**
     * For git after the agent, which may have used up the run's time or left files that git waits for. All programs
     * together have `ms`, or the limit of `lateness`. Throws when one was stopped.
     */
    executeWithin(ms, { lateness, container, } = {}) {
        const { clock, stopping } = this.#parts;
        const lateBounds = lateness === undefined ? {} : { graceMs: 0, signal: stopping };
        const allMs = lateness === undefined ? ms : lateMs[lateness];
        const deadline = clock.monotonicMs() + allMs;
        return async (command, onOutput) => {
            const timeLimitMs = Math.max(1, deadline - clock.monotonicMs());
            const end = await this.execute(command, onOutput, { container, timeLimitMs, ...lateBounds });
            if (end.kind !== 'ended' || end.stopped === undefined)
                return end;
            if (end.stopped === 'signal' && lateness === undefined)
                throw new RunStopped(this.findStop());
            const limit = describeDuration(allMs);
            throw new run_failure_RunFailure('time_limit', lateness === undefined
                ? `it took longer than its limit of ${limit}`
                : `it took longer than the ${limit} that it has after a run was ${lateness}`);
        };
    }
    /** Reports a program that could not be killed, and processes that one left running. */
    async reportLeftovers({ stopped, signal, leftovers, survivors, survivorPids, notes = [] }, who) {
        const { events, log, run } = this.#parts;
        for (const note of notes)
            await events.writeSystem(note);
        if (stopped !== undefined && signal === 'SIGKILL')
            await events.writeSystem(`${who} did not exit after SIGTERM and was killed`);
        if (leftovers > 0)
            await events.writeSystem(`${countProcesses(leftovers)} still running after ${who} ended and had to be killed`);
        if (survivors === 0)
            return;
        this.#hasSurvivors = true;
        const pids = survivorPids.join(', ');
        log('warn', 'could not kill processes of a run', {
            run: run.runId,
            count: survivors,
            pids: pids === '' ? undefined : pids,
        });
        const which = pids === '' ? 'pids unknown' : `pid ${pids}`;
        await events.writeWarning(`${countProcesses(survivors)} still running after the kill (${which})`);
    }
    describeTimeLimit() {
        const { limits, events } = this.#parts;
        const allMs = limits.run_minutes * 60_000;
        const where = events.describeOpenCall(allMs);
        const other = where === '' ? '' : ', or give the agent a smaller task';
        return `the run timed out after ${(0,tool_text/* describeSpan */.uM)(allMs)}${where}. Raise \`limits.run_minutes\` of the server${other}`;
    }
    /** Why the program was stopped. If the run did not stop it, the executor was closed. */
    findStop() {
        const { signal } = this.#parts;
        return signal.aborted ? readStop(signal.reason) : { kind: 'stopping' };
    }
}
/** In a container, PATH is that of the image. */
function withoutPath(command) {
    const { PATH: _ofTheServer, ...env } = command.env;
    return { ...command, env };
}
function countProcesses(count) {
    return count === 1 ? '1 process was' : `${count} processes were`;
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-changes.js








async function lookBefore(context, surroundings) {
    const { run, folder, programs, conversation } = context;
    const { clones, image, searchPath } = surroundings;
    const { container, adapt } = placeGit(context, surroundings);
    const git = {
        folder,
        searchPath,
        execute: (command, onOutput) => programs.executeFully(adapt(command), onOutput, container),
    };
    const baselines = await conversation.begin(clones, () => takeBaselines(git, run.runId, { clones, image }));
    return { baselines, sinceMs: await markBeginning(folder) };
}
/**
 * An agent may have put commands into its clone's git settings. Executed on this machine, they would escape the
 * container, so the git of the image is used.
 */
function placeGit({ folder }, { image }) {
    return image === undefined
        ? { container: undefined, adapt: command => command }
        : { container: placeContainer(image, folder, { isAgent: true }), adapt: withoutPath };
}
/**
 * Reports work that the agent left outside its repositories, makes the patch, and publishes the changes of a
 * successful run.
 */
async function keepWork(context, { surroundings, before: { baselines, sinceMs }, ending, lateness, }) {
    const { folder, events, programs, progress, after } = context;
    const { environment, clones, searchPath } = surroundings;
    const { redact } = progress.redactor ?? border_secrets/* noSecrets */.fI;
    const leftBehind = { baselines: baselines.own, sinceMs, redact, events };
    const reporting = reportLeftBehind(folder, leftBehind);
    await finishWithin(context, 'what lies outside of its repositories', reporting, undefined);
    const parts = {
        ...context,
        searchPath,
        writeLog: (text) => events.writeSystem(redact(text)),
        warn: (text) => events.writeWarning(redact(text)),
        onArtifact: (artifact) => void progress.published.push(artifact),
    };
    const isPublished = lateness === undefined && environment !== undefined && environment.publish !== 'none';
    const { container, adapt } = placeGit(context, surroundings);
    const inTime = programs.executeWithin(after.patchMs, { lateness, container });
    const git = { folder, searchPath, execute: (command, onOutput) => inTime(adapt(command), onOutput) };
    const openFile = async () => (progress.patchFile = await openPatchFile(folder.root));
    const keeping = keepChanges(git, { ...baselines, isPublished, openFile }, parts);
    const nothing = keptNothing('the changes of the workspace are not known');
    const found = finishWithin(context, 'what it changed', keeping, nothing);
    const kept = await logIfSlow(found, { ...parts, slowMs: after.slowMs });
    progress.patches = kept.own;
    if (lateness !== undefined)
        return ending;
    const published = { environment, clones, changes: kept.published, hasSurvivors: programs.hasSurvivors };
    const host = { git: context.git, execute: programs.executeWithin(after.publishMs) };
    return await publishSuccess(ending, published, { ...parts, ...host });
}

// EXTERNAL MODULE: ./build/js/base/wording/open-calls.js
var open_calls = __webpack_require__(573);
;// CONCATENATED MODULE: ./build/js/server/output/event-buffer.js


/** Cost of an event in addition to its text, so that a program printing single characters cannot fill the store. */
const eventCostBytes = 64;
/** A commit of this size blocks the server for a few milliseconds. */
const fullBytes = 256 * 1024;
/** Events in one commit. Each takes five of the variables of a statement. */
const fullEvents = 200;
/** Output and events, in order, until they are written. */
class EventBuffer {
    #parts = [];
    #bytes = 0;
    /** Whether it holds enough for one commit. */
    get isFull() {
        return this.#bytes >= fullBytes || this.#parts.length >= fullEvents;
    }
    get isEmpty() {
        return this.#parts.length === 0;
    }
    /** Returns whether the text begins an event, instead of continuing the last one. */
    pushText(stream, text) {
        this.#bytes += Buffer.byteLength(text);
        const last = this.#parts.at(-1);
        if (last !== undefined && 'stream' in last && last.stream === stream) {
            last.text += text;
            return false;
        }
        this.#parts.push({ stream, text });
        this.#bytes += eventCostBytes;
        return true;
    }
    pushEvent(event, bytes) {
        this.#parts.push({ event });
        this.#bytes += bytes;
    }
    /** Removes events, in groups of one commit each. An incomplete last one stays, unless everything is wanted. */
    take(what) {
        const last = what === 'everything' ? undefined : this.#parts.at(-1);
        const events = this.#parts.flatMap(part => ('event' in part ? [part.event] : cutEvents(part, part === last)));
        const hasRest = last !== undefined && 'text' in last && last.text !== '';
        this.#parts = hasRest ? [last] : [];
        this.#bytes = hasRest ? Buffer.byteLength(last.text) + eventCostBytes : 0;
        return Array.from({ length: Math.ceil(events.length / fullEvents) }, (_, index) => events.slice(index * fullEvents, (index + 1) * fullEvents));
    }
}
/** Cuts output into events, at line ends if possible. With `keepRest`, an incomplete last one stays in the piece. */
function cutEvents(piece, keepRest) {
    const { stream, text } = piece;
    const events = [];
    let at = 0;
    for (;;) {
        const head = headOfEvent(text, at);
        if (at + head.length === text.length)
            break;
        const cut = head.slice(0, head.lastIndexOf('\n') + 1) || head;
        events.push({ type: 'log', data: { stream, text: cut } });
        at += cut.length;
    }
    piece.text = text.slice(at);
    if (!keepRest && piece.text !== '')
        events.push({ type: 'log', data: { stream, text: piece.text } });
    return events;
}
function headOfEvent(text, at) {
    const head = text.slice(at, at + sizes/* sizes */.L.logEventBytes);
    return Buffer.byteLength(head) <= sizes/* sizes */.L.logEventBytes ? head : (0,base_text/* headOfUtf8 */.$n)(head, sizes/* sizes */.L.logEventBytes);
}

;// CONCATENATED MODULE: ./build/js/server/output/nul.js
/**
 * Replaces NUL, which Postgres cannot store. Works on code units, because a program can print nothing but NUL:
 * `replaceAll` takes up to 4 ms for 64 KiB of it.
 */
function replaceNul(text) {
    if (!text.includes('\0'))
        return text;
    const units = new Uint16Array(text.length);
    const bytes = Buffer.from(units.buffer);
    bytes.write(text, 'utf16le');
    for (let at = 0; at < units.length; at += 1)
        if (units[at] === 0)
            units[at] = 0xfffd;
    return bytes.toString('utf16le');
}

;// CONCATENATED MODULE: ./build/js/server/output/event-size.js




/** People read messages, so they may be long. */
const messageBytes = 64 * 1024;
const toolBytes = 16 * 1024;
/** A role, a name, an id. */
const wordBytes = 256;
/** An agent's event, cut to the size limit with a note. NUL is removed, because Postgres cannot store it. */
function fitEvent(event) {
    switch (event.type) {
        case 'message': {
            const { role, text } = event.data;
            return { type: 'message', data: { role: fitWord(role), text: cutMiddle(text, messageBytes) } };
        }
        case 'tool_call': {
            const { id, name, input } = event.data;
            return { type: 'tool_call', data: { id: fitWord(id), name: fitWord(name), input: fitValue(input) } };
        }
        case 'tool_result': {
            const { id, output } = event.data;
            return { type: 'tool_result', data: { ...event.data, id: fitWord(id), output: fitValue(output) } };
        }
        case 'log':
            return { type: 'log', data: { ...event.data, text: cutMiddle(event.data.text, sizes/* sizes */.L.logEventBytes) } };
        case 'usage': {
            const data = fitValue(event.data);
            return { type: 'usage', data: (0,json/* isObject */.Gv)(data) ? data : {} };
        }
        default:
            return event;
    }
}
function fitWord(word) {
    return (0,base_text/* headOfUtf8 */.$n)(replaceNul(word), wordBytes);
}
/** A missing value is null: every event has all its members. */
function fitValue(value) {
    if (typeof value === 'string')
        return cutMiddle(value, toolBytes);
    if (value === undefined)
        return null;
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > toolBytes)
        return cutMiddle(json, toolBytes);
    return json.includes('\\u0000') ? JSON.parse(json.replaceAll('\\u0000', '\\ufffd')) : value;
}
/** Keeps beginning and end: the one says what a tool was asked, the other how it went. */
function cutMiddle(text, bytesMax) {
    const withoutNul = replaceNul(text);
    const bytes = Buffer.byteLength(withoutNul);
    if (bytes <= bytesMax)
        return withoutNul;
    const half = Math.floor(bytesMax / 2) - 64;
    const head = (0,base_text/* headOfUtf8 */.$n)(withoutNul, half);
    const tail = (0,base_text/* tailOfUtf8 */.ff)(withoutNul, half);
    return `${head}\n[${bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)} bytes omitted]\n${tail}`;
}

;// CONCATENATED MODULE: ./build/js/server/output/output-tail.js

/** The end of both streams in the order of arrival, for the newest part that either stream has reached. */
class OutputTail {
    #maxBytes;
    #parts = { stdout: 0, stderr: 0 };
    #tail;
    constructor(maxBytes) {
        this.#maxBytes = maxBytes;
        this.#tail = new TextTail(maxBytes);
    }
    push(stream, text) {
        // Later chunks of an earlier part were printed before the part that the other stream is in.
        if (this.#parts[stream] === this.#latest)
            this.#tail.push(text);
    }
    beginPart(stream) {
        const latest = this.#latest;
        this.#parts[stream] += 1;
        if (this.#latest > latest)
            this.#tail = new TextTail(this.#maxBytes);
    }
    get text() {
        return this.#tail.text;
    }
    get #latest() {
        return Math.max(this.#parts.stdout, this.#parts.stderr);
    }
}

;// CONCATENATED MODULE: ./build/js/server/output/result-text.js



/** Printed output as a result. Its text is '' if nothing visible was printed. */
function takeResult({ text, totalBytes }) {
    const kept = fitResult({ text, leftOutBytes: totalBytes - Buffer.byteLength(text) });
    return (0,visible_text/* isVisible */.zN)(kept.text) ? kept : (0,run_text/* wholeText */.r)('');
}

;// CONCATENATED MODULE: ./build/js/server/output/result-tail.js




/** Almost always visible. Looking at the whole tail takes milliseconds. */
const headBytes = 4096;
/**
 * Printed output as a result: its end or, if that is invisible (blanks, escape sequences), the end of the last
 * visible output. Chunks are far smaller than a result may be.
 */
class ResultTail {
    #tail = new TextTail(sizes/* sizes */.L.resultBytes);
    /** A copy of the tail when it was last visible. */
    #seen = new TextTail(sizes/* sizes */.L.resultBytes);
    #unseenBytes = 0;
    /** Whether a piece of the unseen text is visible by itself. Otherwise their sum is not either. */
    #mayShow = false;
    push(piece) {
        const bytes = Buffer.byteLength(piece);
        // Text that leaves the tail from here on was checked.
        if (this.#unseenBytes + bytes > sizes/* sizes */.L.resultBytes)
            this.#look();
        this.#unseenBytes += bytes;
        this.#mayShow ||= (0,visible_text/* isVisible */.zN)(piece);
        this.#tail.push(piece);
    }
    /** Its text is '' if nothing visible was printed. */
    get result() {
        const result = takeResult(this.#tail);
        return result.text === '' ? takeResult(this.#seen) : result;
    }
    #look() {
        const tail = this.#tail;
        if (this.#mayShow && ((0,visible_text/* isStartVisible */.dH)(tail.head(headBytes)) || (0,visible_text/* isVisible */.zN)(tail.text)))
            this.#seen.assign(tail);
        this.#unseenBytes = 0;
        this.#mayShow = false;
    }
}

;// CONCATENATED MODULE: ./build/js/server/output/usage-sum.js
/** Usage of a run over all its turns. Each turn reports its own total. */
class UsageSum {
    #before;
    #now;
    /** `before` is the usage of earlier parts of the run. */
    constructor(before = {}) {
        this.#before = before;
        this.#now = before;
    }
    get sum() {
        return this.#now;
    }
    /** The sum after a turn has reported its total. */
    note(usage) {
        const names = new Set([...Object.keys(this.#before), ...Object.keys(usage)]);
        this.#now = Object.fromEntries([...names].map(name => [name, usage_sum_add(this.#before[name], usage[name])]));
        return this.#now;
    }
    beginTurn() {
        this.#before = this.#now;
    }
}
/** A missing number is taken from the last report that had one. */
function usage_sum_add(before, now) {
    return typeof before === 'number' && typeof now === 'number' ? before + now : (now ?? before);
}

;// CONCATENATED MODULE: ./build/js/server/output/event-writer.js









/** Unwritten output waits this long for more. */
const gatherMs = 100;
const tailBytes = 64 * 1024;
/**
 * Turns a program's output into log events, in order. An event holds at most 16 KiB of one stream and is written
 * within 100 ms. Output over the run's limit is counted but not kept. Buffered events are committed together. Once they
 * fill a commit, writers wait for it, which bounds memory.
 */
class EventWriter {
    #append;
    #clock;
    #logBytes;
    #onFailure;
    #stdout = new ResultTail();
    #outputTail = new OutputTail(tailBytes);
    #over = new AbortController();
    #usage;
    #buffer = new EventBuffer();
    #keptBytes = 0;
    #cutBytes = 0;
    /** The latest usage over the limit. It is written once, at the end, because a program can print any number. */
    #cutUsage;
    #isTimed = false;
    #calls = new open_calls/* OpenCalls */.i();
    #writing = Promise.resolve();
    /** `onFailure` gets the error of a write that is not awaited. */
    constructor(parts) {
        this.#append = parts.append;
        this.#clock = parts.clock;
        this.#logBytes = parts.logBytes;
        this.#usage = new UsageSum(parts.usage);
        this.#onFailure = parts.onFailure;
    }
    /** Standard output as a result. A longer one is cut at its start. Its text is '' if nothing visible was printed. */
    get stdout() {
        return this.#stdout.result;
    }
    /** The end of both streams in the order of arrival, from the last part only, at most 64 KiB. */
    get outputTail() {
        return this.#outputTail.text;
    }
    /** Usage of the run so far. */
    get usage() {
        return this.#usage.sum;
    }
    /** `, 28 of them in \`npm test\``: the agent's call that took the time. '' if no call is running. */
    describeOpenCall(allMs) {
        return this.#calls.describeOldest(this.#clock.monotonicMs(), allMs);
    }
    /** Output so far was that of setup commands, not part of the program's result. */
    beginProgram() {
        this.#stdout = new ResultTail();
        this.#outputTail = new OutputTail(tailBytes);
    }
    /** The agent is started again. Its usage is added to the earlier usage. */
    beginTurn() {
        this.#usage.beginTurn();
    }
    /** Later output of the stream belongs to the next part of the program's work. */
    beginPart(stream) {
        this.#outputTail.beginPart(stream);
    }
    async write(stream, text) {
        this.#take(stream, replaceNul(text));
        if (this.#buffer.isFull)
            await this.#flush('full events');
        if (!this.#buffer.isEmpty)
            this.#flushLater();
    }
    /**
     * Writes events of an agent at once, after all earlier output. Events over the run's limit are counted like output.
     */
    async writeEvents(drafts) {
        for (const draft of drafts) {
            const event = fitEvent(draft.type === 'usage' ? { type: 'usage', data: this.#usage.note(draft.data) } : draft);
            const { type, data } = event;
            if (type === 'tool_call')
                this.#calls.begin(data.id, data.name, { ...data, atMs: this.#clock.monotonicMs() });
            if (type === 'tool_result')
                this.#calls.end(data.id);
            const bytes = Buffer.byteLength(JSON.stringify(data)) + eventCostBytes;
            if (this.#cutBytes === 0 && this.#keptBytes + bytes <= this.#logBytes) {
                this.#buffer.pushEvent(event, bytes);
                this.#keptBytes += bytes;
            }
            else {
                if (type === 'usage')
                    this.#cutUsage = event;
                this.#cutBytes += bytes;
            }
        }
        if (this.#buffer.isFull)
            await this.#flush('everything');
        else if (!this.#buffer.isEmpty)
            this.#flush('everything').catch(this.#onFailure);
    }
    /** Writes a line of the server itself after all earlier output. */
    async writeSystem(text) {
        await this.#writeLine(text, {});
    }
    /** Writes such a line in its place, and does not wait for that. */
    noteSystem(text) {
        this.writeSystem(text).catch(this.#onFailure);
    }
    /** Writes a warning for the caller of the run. */
    async writeWarning(text) {
        await this.#writeLine(`warning: ${text}`, { level: 'warning' });
    }
    async #writeLine(text, more) {
        const line = `${(0,base_text/* headOfUtf8 */.$n)(text, sizes/* sizes */.L.logEventBytes - 1)}\n`;
        this.#buffer.pushEvent({ type: 'log', data: { stream: 'system', text: line, ...more } }, line.length);
        await this.#flush('everything');
    }
    /** Writes the rest and reports what was cut. */
    async finish() {
        this.#over.abort();
        await this.#flush('everything');
        const cut = this.#cutBytes;
        const usage = this.#cutUsage;
        this.#cutBytes = 0;
        this.#cutUsage = undefined;
        if (usage !== undefined)
            await this.#append([usage]);
        if (cut > 0)
            await this.writeSystem(`the log ends here: ${(0,base_text/* counted */.hS)(cut, 'more byte')} of output ${cut === 1 ? 'was' : 'were'} not kept (limit: ${this.#logBytes} bytes)`);
    }
    #take(stream, text) {
        this.#outputTail.push(stream, text);
        if (stream === 'stdout')
            this.#stdout.push(text);
        const bytes = Buffer.byteLength(text);
        const room = this.#cutBytes > 0 ? 0 : Math.max(0, this.#logBytes - this.#keptBytes);
        const kept = bytes <= room ? text : (0,base_text/* headOfUtf8 */.$n)(text, room);
        const keptBytes = bytes <= room ? bytes : Buffer.byteLength(kept);
        this.#cutBytes += bytes - keptBytes;
        this.#keptBytes += keptBytes;
        if (kept !== '' && this.#buffer.pushText(stream, kept))
            this.#keptBytes += eventCostBytes;
    }
    #flushLater() {
        if (this.#isTimed)
            return;
        this.#isTimed = true;
        const later = async () => {
            await this.#clock.sleep(gatherMs, this.#over.signal).catch(() => { });
            this.#isTimed = false;
            await this.#flush('everything');
        };
        later().catch(this.#onFailure);
    }
    /** Writes one after another. After a failed write, all later ones fail. */
    #flush(what) {
        this.#writing = this.#writing.then(async () => {
            for (const events of this.#buffer.take(what))
                await this.#append(events);
        });
        return this.#writing;
    }
}

;// CONCATENATED MODULE: ./build/js/border/sliced-redaction.js
/**
 * Redaction of long text that leaves time for other work. A caller chooses the secrets and the program its output, so
 * both can be chosen to take long.
 */

const slowMs = 5;
const fastMs = 1;
/** Less than what a stream holds back gains nothing, because that is searched again for each slice. */
const leastCharacters = 256;
const firstCharacters = 16 * 1024;
/** The size of a chunk of output, so that ordinary output is not cut. */
const mostCharacters = 64 * 1024;
/** All streams share it. Otherwise those of many runs would add up. */
const turns = new Turns();
function openSlicedStream(redactor) {
    const stream = redactor.openStream();
    let characters = firstCharacters;
    /** Since the last turn. */
    let busyMs = 0;
    const pushSlice = (slice) => {
        const startedAt = performance.now();
        const shown = stream.push(slice);
        const ms = performance.now() - startedAt;
        busyMs += ms;
        if (ms > slowMs)
            characters = Math.max(leastCharacters, characters / 2);
        else if (ms < fastMs && slice.length === characters)
            characters = Math.min(mostCharacters, characters * 2);
        return shown;
    };
    return {
        async push(text) {
            let shown = '';
            for (let at = 0; at < text.length;) {
                const slice = text.slice(at, at + characters);
                at += slice.length;
                shown += pushSlice(slice);
                if (busyMs <= slowMs)
                    continue;
                await turns.next();
                busyMs = 0;
            }
            return shown;
        },
        end: () => stream.end(),
    };
}

;// CONCATENATED MODULE: ./build/js/server/output/result-file.js







/** In a longer file, only the end is searched for an answer. */
const searchedBytes = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** Bytes read before the kept end. Otherwise a secret that the cut falls into would not be recognized. */
const marginBytes = 4 * border_secrets/* pieceLength */.Zc;
/**
 * The redacted text of the result file, or its end if it is too long. Undefined if it is missing, has nothing
 * visible, or is not a regular file.
 */
async function readResultFile(path, redactor = border_secrets/* noSecrets */.fI) {
    const file = await (0,border_files/* openPlainFile */.rr)(path);
    if (file === undefined)
        return undefined;
    try {
        const info = await file.stat();
        const skipped = Math.max(0, info.size - sizes/* sizes */.L.resultBytes);
        const margin = Math.min(skipped, marginBytes);
        const bytes = Buffer.alloc(info.size - skipped + margin);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, skipped - margin);
        // The end may begin inside a character. At most three bytes of it are left.
        const within = bytes.subarray(margin, margin + 4).findIndex(byte => (byte & 0xc0) !== 0x80);
        const start = skipped === 0 ? 0 : Math.max(0, within);
        const decoder = new TextDecoder();
        const stream = openSlicedStream(redactor);
        await stream.push(decoder.decode(bytes.subarray(0, margin + start), { stream: true }));
        const shown = (await stream.push(decoder.decode(bytes.subarray(margin + start, bytesRead)))) + stream.end();
        const text = replaceNul(shown);
        const result = takeResult({ text, totalBytes: skipped + start + Buffer.byteLength(text) });
        if (result.text !== '')
            return result;
        return skipped === 0 || info.size > searchedBytes ? undefined : await findVisible(file, redactor);
    }
    finally {
        await file.close();
    }
}
/** The answer in a file whose end has nothing visible. */
async function findVisible(file, redactor) {
    const tail = new ResultTail();
    const decoder = new TextDecoder();
    const stream = openSlicedStream(redactor);
    const push = (text) => tail.push(replaceNul(text));
    const chunk = Buffer.alloc(chunkBytes);
    for (let at = 0; at < searchedBytes;) {
        const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
        if (bytesRead === 0)
            break;
        push(await stream.push(decoder.decode(chunk.subarray(0, bytesRead), { stream: true })));
        at += bytesRead;
    }
    push((await stream.push(decoder.decode())) + stream.end());
    const { result } = tail;
    return result.text === '' ? undefined : result;
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-conversation.js
/**
 * Keeps what a conversation needs to continue: the session of its agent, and the state of its workspace. It is stored
 * as soon as the agent prints its session, so it survives a killed server.
 */






class Conversation {
    #parts;
    #baselines = { own: [], first: [] };
    #continuation;
    #clones = [];
    constructor(parts) {
        this.#parts = parts;
        this.#continuation = parts.run.continuation;
    }
    /** Whether a later run, or an answer, could continue it. */
    get canGoOn() {
        const { limits, harnesses, run } = this.#parts;
        return limits.keep_conversation_minutes > 0 && harnesses.canResume(run.config.harness?.type);
    }
    /** Whether its folder stays after the run. */
    get isKept() {
        return this.#continuation !== undefined && this.canGoOn;
    }
    /** Snapshots the workspace as it is now. */
    async begin(clones, take) {
        this.#clones = clones;
        const { continuation } = this.#parts.run;
        const own = continuation?.own?.baselines ?? (await take());
        this.#baselines = { own, first: continuation?.baselines ?? own };
        return this.#baselines;
    }
    /** Throws RunStopped if another worker owns the run now. */
    async noteSession(sessionId) {
        if (this.canGoOn)
            await markAsConversation(this.#parts.folder);
        await this.#note({ sessionId, clones: this.#clones.map(keepClone), baselines: this.#baselines.first });
    }
    /**
     * Blocks the run. It continues later, compared with its workspace as of its beginning. Throws RunStopped if another
     * worker owns the run now.
     */
    async noteBlocked(usage) {
        if (this.#continuation !== undefined)
            await this.#note({ ...this.#continuation, own: { baselines: this.#baselines.own, usage } });
    }
    /** The agent's question, redacted. Undefined if it asks nothing, failed, or could not continue with an answer. */
    async readQuestion(outcome, redactor) {
        const hasEndedWell = outcome.state === 'SUCCEEDED' || outcome.code === 'no_result';
        if (!hasEndedWell || !this.isKept)
            return undefined;
        const question = await readResultFile(this.#parts.folder.questionFile, redactor);
        return question === undefined ? undefined : (0,base_text/* headOfUtf8 */.$n)(question.text.trim(), sizes/* sizes */.L.questionBytes);
    }
    async #note(continuation) {
        this.#continuation = continuation;
        if (!(await this.#parts.store.noteContinuation(this.#parts.claim, continuation)))
            throw new RunStopped({ kind: 'lost' });
    }
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-context.js





/** Limits for the steps after the agent. They do not depend on the rest of the run's own time. */
const usualAfter = { slowMs: 5_000, patchMs: 2 * 60_000, publishMs: 5 * 60_000, spareMs: 30_000 };
function createRunContext(parts, run, stopping) {
    const claim = { runId: run.runId, attempt: run.attempt };
    const folder = locateRunFolder(parts.dataDir, run.conversationId, parts.workspace);
    const control = new AbortController();
    const giveUp = (stop) => control.abort(new RunStopped(stop));
    const events = new EventWriter({
        append: async (drafts) => {
            if (!(await parts.store.appendEvents(claim, drafts)))
                throw new RunStopped({ kind: 'lost' });
        },
        clock: parts.clock,
        logBytes: parts.limits.log_bytes,
        usage: run.continuation?.own?.usage,
        onFailure: error => giveUp(readStop(error)),
    });
    const common = { ...parts, run, claim, folder, events, signal: control.signal, stopping };
    return {
        ...common,
        programs: new RunPrograms(common),
        conversation: new Conversation(common),
        after: { ...usualAfter, ...parts.afterLimits },
        giveUp,
        progress: { hasBegun: false, redactor: undefined, published: [], patches: [], patchFile: undefined },
    };
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-finish.js


/** Delay between attempts to write the end of a run. Giving up would leave it INPROGRESS without a worker. */
const napsMs = [100, 500, 2000, 5000];
const longestNapMs = 10_000;
/** Writes how a run ended, or what it waits for. Retries until that succeeds. Never rejects. */
async function writeEnding({ store, clock, log, claim, programs, stopping }, ending) {
    const { runId } = claim;
    const workedMs = Math.round(clock.monotonicMs() - programs.startMs);
    const seconds = Math.round(workedMs / 100) / 10;
    const { state, statusMessage } = ending;
    for (let failures = 0;; failures += 1) {
        try {
            const isWritten = await store.finishRun(claim, { ...ending, workedMs });
            if (!isWritten)
                log('warn', 'a run had ended or moved to another worker before its end was saved', { run: runId });
            else if (state === 'QUEUED')
                log('warn', 'run was requeued', { run: runId, cause: statusMessage?.message });
            else if (state === 'BLOCKED')
                log('info', 'run is waiting for an answer', { run: runId, seconds });
            else
                log('info', 'run ended', { run: runId, state, code: statusMessage?.error_code, seconds });
            return;
        }
        catch (error) {
            log('error', 'could not save the end of a run', { run: runId, error: describeError(error) });
            // The next start of the server ends a run that is left open here.
            if (stopping.aborted)
                return;
            await clock.sleep(napsMs[failures] ?? longestNapMs, stopping).catch(() => { });
        }
    }
}
/** Removes the files of a run that are not kept after this ending. Never rejects. */
async function tidyAfter({ log, limits, run, folder, conversation, removeUnknownFolders }, ending) {
    // The next part of the run needs all files.
    if (ending?.state === 'BLOCKED' || (ending?.state === 'QUEUED' && run.continuation !== undefined))
        return;
    try {
        const keeps = limits.keep_workspace_minutes > 0 ? 'workspace' : 'nothing';
        await tidyRunFolder(folder, { keeps: conversation.isKept ? 'conversation' : keeps });
        await removeUnknownFolders();
    }
    catch (error) {
        log('warn', 'could not remove the folder of a run', { run: run.runId, error: describeError(error) });
    }
}

;// CONCATENATED MODULE: ./build/js/server/skills/environment-skills.js


/** Finds a skill in the clones of a run's environment first, then in the server's repositories. Throws RunFailure. */
function createSkillFinder(clones, server) {
    const checkouts = Object.fromEntries(clones.map(({ repository, folder }) => [repository.name, folder]));
    const source = createSkillSource(checkouts);
    const isThere = ({ owner, repo }) => findName(checkouts, `${owner}/${repo}`) !== undefined;
    return async (spec, signal) => {
        if (!isThere(spec))
            return await server.find(spec, signal);
        try {
            return await source.find(spec);
        }
        catch (error) {
            if (!isMissing(error) || (await server.refuse(spec)) !== undefined)
                throw error;
            return await server.find(spec, signal).catch((second) => {
                if (!isMissing(second))
                    throw second;
                throw new run_failure_RunFailure(second.code, `${error.message}; ${second.message}`);
            });
        }
    };
}
function isMissing(error) {
    return error instanceof run_failure_RunFailure && error.code === 'resource_not_found';
}

;// CONCATENATED MODULE: ./build/js/server/skills/skill-folders.js




/**
 * Copies the folders of skills that an agent reads when it needs them next to the run's workspace. Throws RunFailure,
 * or the signal's reason.
 */
async function placeSkills(skills, { folder, dataDir, signal }) {
    const placed = [];
    for (const { name, description, repository, path, folder: from, copyTo } of skills) {
        // Agents call a skill by its folder name.
        const folderName = (0,external_node_path_.basename)(from === '.' ? repository : from);
        const to = (0,external_node_path_.join)(placedSkillsFolder(folder), folderName);
        if (placed.some(other => other.folder === to))
            throw new run_failure_RunFailure('invalid_request', `config.skills: two of the skills are called ${folderName} (${repository}:${path} is one)`);
        await copyTo(to, { except: await (0,promises_.realpath)(dataDir), signal });
        placed.push({ name, description, folder: to });
    }
    return placed;
}

;// CONCATENATED MODULE: ./build/js/server/output/redacted-output.js


function redactOutput(redactor) {
    const decoder = new external_node_util_.TextDecoder('utf-8', { ignoreBOM: true });
    const stream = openSlicedStream(redactor);
    return {
        push: chunk => stream.push(decoder.decode(chunk, { stream: true })),
        end: async () => (await stream.push(decoder.decode())) + stream.end(),
    };
}

;// CONCATENATED MODULE: ./build/js/server/workspace/environment-setup.js





/** Limit for showing a command in one line. */
const shownMax = 200;
/**
 * Runs the commands of an environment, each in its own bash that stops at the first failure (`bash -euo pipefail`).
 * Their output becomes events. Throws RunFailure when one fails, and errors of `execute`.
 */
async function runSetup(commands, parts) {
    const { execute, events, cwd, env, redactor, onEnd } = parts;
    for (const [index, command] of commands.entries()) {
        const which = `setup command ${index + 1} of ${commands.length}`;
        const shown = (0,base_text/* ellipsis */.gO)(command.trim().replace(/\s+/g, ' '), shownMax);
        await events.writeSystem(`${which}: ${shown}`);
        // npm prints the error first, and below it more than 4 KiB of usage text.
        const tail = new TextTail(16 * 1024);
        const redacted = { stdout: redactOutput(redactor), stderr: redactOutput(redactor) };
        const write = async (stream, text) => {
            tail.push(text);
            await events.write(stream, text);
        };
        const end = await execute({ argv: ['bash', '-euo', 'pipefail', '-c', command], cwd, env, stdin: '' }, async (stream, chunk) => await write(stream, await redacted[stream].push(chunk))).finally(async () => {
            for (const stream of ['stdout', 'stderr'])
                await write(stream, await redacted[stream].end());
        });
        if (end.kind === 'not_started')
            throw new run_failure_RunFailure('environment_setup_failed', `${which} did not start: ${end.message}`);
        await onEnd(end);
        if (end.exitCode === 0)
            continue;
        const how = end.exitCode === undefined
            ? `was killed by ${end.signal ?? 'a signal'}`
            : `failed with ${describeExitCode(end.exitCode)}`;
        throw new run_failure_RunFailure('environment_setup_failed', `${which} (\`${shown}\`) ${how}${ending_text_describeCause(tail.text)}`);
    }
}

;// CONCATENATED MODULE: ./build/js/server/worker/workspace.js










/** Description of an empty workspace. */
const emptyFolder = 'an empty folder';
/**
 * Prepares the workspace of a run. `held` describes what it already contains. Throws RunFailure, or the signal's
 * reason.
 */
async function prepareWorkspace(parts, skill, held) {
    const contents = held ?? (parts.folder.hasOwnWorkspace ? undefined : await describeOwn(parts.folder.workspace));
    if (contents !== undefined)
        return await useFolder(parts, skill, contents);
    // A skill from GitHub is its folder alone.
    if (skill?.checkout === undefined)
        return await useFolder(parts, skill, emptyFolder);
    const contentsOfClone = await fillWorkspace(parts, skill, skill.checkout);
    return { contents: contentsOfClone, skillDir: (0,external_node_path_.join)(parts.folder.workspace, skill.folder) };
}
async function describeOwn(workspace) {
    // A missing folder is reported later.
    const { entries } = await (0,folders/* readEntries */.$2)(workspace, 1);
    return entries.length === 0 ? `${workspace}, which is empty` : workspace;
}
/** Leaves existing files as they are. A skill from elsewhere goes next to the workspace, among the run's own files. */
async function useFolder({ folder, dataDir, signal }, skill, contents) {
    const { workspace, state } = folder;
    const info = await (0,promises_.stat)(workspace).catch(() => undefined);
    if (info?.isDirectory() !== true)
        throw new run_failure_RunFailure('environment_setup_failed', `the workspace ${workspace} is no longer a folder`);
    if (skill === undefined)
        return { contents, skillDir: undefined };
    const from = skill.checkout === undefined ? undefined : (0,external_node_path_.join)(skill.checkout, skill.folder);
    if (from !== undefined && (await workspace_isWithin(workspace, from)))
        return { contents, skillDir: from };
    const skillDir = (0,external_node_path_.join)(state, 'skill');
    await skill.copyTo(skillDir, { except: await (0,promises_.realpath)(dataDir), signal });
    return { contents: `${contents}, with a copy of ${skill.origin} next to it`, skillDir };
}
/**
 * Puts the skill's repository into the workspace, without network, hooks or remote: a clone of the checkout's last
 * commit. Without git, or without a commit, it is a copy of the files. The skill's own folder always matches the
 * checkout. Returns a description of the contents.
 */
async function fillWorkspace(parts, skill, checkout) {
    const { folder, dataDir, signal } = parts;
    const commit = await cloneCheckout(parts, checkout, skill);
    const except = await (0,promises_.realpath)(dataDir);
    const copy = { from: checkout, to: folder.workspace, except, signal };
    if (commit === undefined) {
        await copyTree(copy);
        return `a copy of ${skill.repository}`;
    }
    const committed = await (0,border_files/* readPlainFile */.b$)((0,external_node_path_.join)(folder.workspace, skill.path), fileBytesMax);
    if (committed === skill.text)
        return `${skill.repository} at ${commit}`;
    const [target, file] = [(0,external_node_path_.join)(folder.workspace, skill.folder), (0,external_node_path_.join)(folder.workspace, skill.path)];
    if (!(await workspace_isWithin(folder.workspace, file)))
        throw new run_failure_RunFailure('environment_setup_failed', `${skill.repository}: a link in its last commit leads ${skill.path} out of the repository`);
    // If the skill is the whole repository, the commit counts.
    await (0,folders/* removeTree */.dM)(skill.folder === '.' ? file : target);
    if (skill.folder === '.')
        await (0,promises_.writeFile)(file, skill.text, { flag: 'wx' });
    else
        await skill.copyTo(target, { except, signal });
    return `${skill.repository} at ${commit}, with ${skill.path} as in the checkout, where it is not committed`;
}
/** Whether the existing part of a path is inside a folder, with no symlink leading out. */
async function workspace_isWithin(root, path) {
    const real = await (0,promises_.realpath)(path).catch(() => undefined);
    if (real === undefined)
        return workspace_isWithin(root, (0,external_node_path_.dirname)(path));
    const from = (0,external_node_path_.relative)(await (0,promises_.realpath)(root), real);
    return from.split(external_node_path_.sep)[0] !== '..';
}
/** Clones the checkout into the empty workspace. Returns the commit, or undefined if a copy is needed. */
async function cloneCheckout(parts, checkout, { repository }) {
    const { folder } = parts;
    // A folder within a larger repository is not that repository.
    if ((await (0,promises_.lstat)((0,external_node_path_.join)(checkout, '.git')).catch(() => undefined)) === undefined)
        return undefined;
    // Objects are copied, not linked, so an agent cannot damage those of the checkout.
    const cloned = await runGit(parts, ['clone', '--quiet', '--no-hardlinks', '--template=', '--', checkout, '.']);
    if (cloned.end.kind === 'not_started')
        return undefined;
    if (cloned.end.exitCode !== 0)
        throw new run_failure_RunFailure('environment_setup_failed', `${repository} could not be cloned from its checkout${ending_text_describeCause(cloned.output, 'git')}`);
    const head = await runGit(parts, ['rev-parse', '--short', '--verify', '--quiet', 'HEAD']);
    if (head.end.kind === 'ended' && head.end.exitCode === 0) {
        await runGit(parts, ['remote', 'remove', 'origin']);
        return (0,base_text/* lastLines */.w$)(head.output, 1)[0];
    }
    await (0,folders/* removeTree */.dM)((0,external_node_path_.join)(folder.workspace, '.git'));
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-setup.js














/**
 * Makes the folder of a run and fills it: repositories, skills, and the results of the setup commands. A continued
 * conversation finds its workspace as it left it. Throws RunFailure, and errors of `execute`.
 */
async function setUpRun(context, harness) {
    const environment = run_setup_chooseEnvironment(context);
    const { continuation } = context.run;
    return continuation === undefined
        ? await begin(context, harness, environment)
        : await goOn(context, environment, continuation);
}
async function goOn(context, environment, continuation) {
    const { run, folder, dataDir, events, signal, programs } = context;
    if (!(await reopenRunFolder(folder, { keepsArtifacts: run.attempt > 1 })))
        throw new run_failure_RunFailure('resource_not_found', `the conversation ${run.conversationId} is gone: the server has removed its workspace and session. Start a new run without conversation_id`);
    const { env, passedOn, searchPath, image } = createEnvironment(context, environment);
    if (image !== undefined)
        await programs.prepareImage(image);
    const clones = await findClones(environment, folder.workspace, continuation.clones);
    const { skill, others } = await findSkills(context, clones);
    const execute = (...command) => programs.executeFully(...command);
    const workspace = { folder, searchPath, execute, dataDir, signal };
    const { contents, skillDir } = await prepareWorkspace(workspace, skill, 'as the conversation left it');
    events.noteSystem(`workspace: ${contents}`);
    const skills = await placeSkills(others, { folder, dataDir, signal });
    await logSkills(others, events);
    events.beginProgram();
    return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}
async function begin(context, harness, environment) {
    const { run, folder, dataDir, git, events, signal, programs } = context;
    const execute = (...command) => programs.executeFully(...command);
    await createRunFolder(folder);
    const { env, passedOn, searchPath, image } = createEnvironment(context, environment);
    const base = { folder, searchPath, execute };
    if (image !== undefined)
        await programs.prepareImage(image);
    const writeLog = (text) => events.writeSystem(text);
    const clones = environment === undefined
        ? []
        : await cloneRepositories(environment, run.checkout, { ...base, git, signal, writeLog });
    const { skill, others } = await findSkills(context, clones);
    const held = clones.length === 0 ? undefined : describeClones(clones);
    const { contents, skillDir } = await prepareWorkspace({ ...base, dataDir, signal }, skill, held);
    events.noteSystem(`workspace: ${contents}`);
    if (environment === undefined && contents.startsWith(emptyFolder)) {
        const missing = run_setup_describeMissing(run.checkout?.repository);
        if (harness.asksModel === true)
            await events.writeWarning(missing);
        else if (run.checkout?.repository !== undefined)
            await events.writeSystem(missing);
    }
    const foreign = environment && findForeign(environment, run.checkout ?? {});
    if (foreign !== undefined)
        await events.writeWarning(`the run was started for ${foreign}, which is not in its environment, so the environment's own revisions are used`);
    const skills = await placeSkills(others, { folder, dataDir, signal });
    await logSkills(others, events);
    const redactor = createRunRedactor((0,secret_variables/* findSecrets */.dL)(passedOn));
    const container = image === undefined ? undefined : placeContainer(image, folder, { isAgent: false });
    await runSetup(environment?.setup ?? [], {
        execute: (command, onOutput) => programs.executeFully(command, onOutput, container),
        events,
        cwd: folder.workspace,
        env,
        redactor,
        onEnd: end => programs.reportLeftovers(end, 'the setup command'),
    });
    events.beginProgram();
    return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}
/** Skills outside the workspace. A skill from GitHub is named with its commit. */
async function logSkills(others, events) {
    if (others.length > 0)
        await events.writeSystem(`more skills, which the agent reads as needed: ${others.map(({ origin }) => origin).join(', ')}`);
}
function createEnvironment({ baseEnv, folder, image: usualImage }, environment) {
    const base = createBaseEnvironment(baseEnv, folder);
    const { PATH: searchPath, ...withoutPath } = base;
    const image = environment?.image ?? usualImage;
    const own = image === undefined ? base : withoutPath;
    const passedOn = Object.fromEntries(Object.entries(environment?.env ?? {}).filter(([name]) => !Object.hasOwn(own, name)));
    return { env: { ...passedOn, ...own }, passedOn, searchPath, image };
}
/** The configuration may have changed since the run was created. */
function run_setup_chooseEnvironment({ run, environments }) {
    const { environment_id: wanted } = run.config;
    if (wanted === undefined)
        return undefined;
    const environment = findEnvironment(environments, wanted);
    if (environment === undefined)
        throw new run_failure_RunFailure('resource_not_found', `this server no longer has the environment ${wanted}`);
    const fault = refuseCheckout(environment, run.checkout ?? {});
    if (fault !== undefined)
        throw new run_failure_RunFailure('operation_not_supported', fault);
    return environment;
}
async function findSkills({ run, claim, store, skills: server, events, signal }, clones) {
    const [spec, ...more] = (0,skill_spec/* skillsOf */.sg)({ config: run.config }).map(skill_spec/* parseSkillSpec */.el);
    if (spec === undefined)
        return { skill: undefined, others: [] };
    const findAnywhere = createSkillFinder(clones, server);
    const find = async (wanted) => {
        const found = await findAnywhere(wanted, signal);
        for (const note of found.notes)
            await events.writeSystem(note);
        return found;
    };
    const skill = await find(spec);
    const { name, description, repository, path } = skill;
    const described = { name, ...(description === '' ? {} : { description }), full_path: path };
    if (!(await store.describeSkill(claim, described, `${repository}:${path}`)))
        throw new RunStopped({ kind: 'lost' });
    const others = [];
    for (const other of more)
        others.push(await find(other));
    return { skill, others };
}
/** An agent without code finds no problems, so its run would be green. */
function run_setup_describeMissing(repository) {
    const lost = repository === undefined ? '' : `${repository} was not cloned, and `;
    return `${lost}the workspace is empty, because the run names no environment; set \`environment_id\` (in the command \`--environment\`)`;
}

;// CONCATENATED MODULE: ./build/js/server/skills/skill-placeholders.js


/** A skill may repeat its prompt often, so the result is limited. */
const filledBytesMax = 4 * sizes/* sizes */.L.promptBytes;
/**
 * Groups: an escaping backslash; the N of `$ARGUMENTS[N]`; `$ARGUMENTS` alone; the N of `$N`, unless it is part of a
 * word, a number or an amount such as $1,000.
 */
const skill_placeholders_placeholder = /(\\)?(?:\$ARGUMENTS\[(\d{1,3})\]|(\$ARGUMENTS)(?![A-Za-z0-9_])|(?<![\w$])\$(\d{1,2})(?![\w]|[.,]\d))/g;
const fence = /^[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})/;
/**
 * Fills a prompt into the text of a skill: `$ARGUMENTS` is all of it, `$ARGUMENTS[N]` and `$N` are its words from 0.
 * Indexes beyond the prompt stay as they are. So does `$N` in a fenced block, where the shell uses it. Throws
 * RunFailure if the result exceeds 4 MB.
 */
function fillPlaceholders(text, prompt) {
    const whole = prompt.trim();
    const words = splitWords(whole);
    let bytes = (0,sizes/* utf8Bytes */.d)(text);
    let open;
    const fillLine = (line) => {
        const [, marker] = fence.exec(line) ?? [];
        const isCode = open !== undefined;
        if (open === undefined)
            open = marker;
        else if (marker?.startsWith(open) && line.trim() === marker)
            open = undefined;
        return line.replace(skill_placeholders_placeholder, (all, backslash, index, isAll, short) => {
            if (short !== undefined && isCode)
                return all;
            if (backslash !== undefined)
                return all.slice(1);
            const value = isAll === undefined ? words[Number(index ?? short)] : whole;
            if (value === undefined)
                return all;
            bytes += (0,sizes/* utf8Bytes */.d)(value);
            if (bytes > filledBytesMax)
                throw new run_failure_RunFailure('invalid_request', `the skill names $ARGUMENTS so often that its text with the prompt in it is longer than ${filledBytesMax} bytes; name the prompt once, or make it shorter`);
            return value;
        });
    };
    return text
        .split(/(?<=\n)/)
        .map(fillLine)
        .join('');
}
/**
 * Words of a text, separated by spaces. Quotes around a word keep its spaces and are removed. Other quotes are part
 * of their word.
 */
function splitWords(text) {
    const word = /"([^"]*)"(?!\S)|'([^']*)'(?!\S)|(\S+)/g;
    return [...text.matchAll(word)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

;// CONCATENATED MODULE: ./build/js/server/worker/turns/run-task.js




const howToAsk = [
    'You can ask a person in this run. If you cannot continue without their decision, write your question, with all that they need to know, to the file that the environment variable AGENT_RUN_QUESTION names, and end your answer. The work stops until they answer, and then continues with their answer.',
    'Ask only what you can neither find out nor safely decide yourself.',
].join('\n');
/**
 * Builds the task for a harness. Instructions are the base prompt, then the skill's text without front matter, then
 * the form of the answer if there is a schema. The skill's placeholders are filled in with the prompt, which still is
 * the task. Throws RunFailure if the result is too large.
 */
function createRunTask({ run, folder, workingFolder = folder.workspace }, { harness, surroundings: { skill, skills, searchPath, image, passedOn: variables }, }) {
    const { prompt, config, isInteractive, continuation, followup } = run;
    const instructions = [];
    if (config.base_prompt !== undefined)
        instructions.push({ origin: 'the base prompt', text: config.base_prompt, firstLine: 1 });
    if (skill !== undefined) {
        // A prompt must not become part of code that is executed as written.
        const text = harness.executesSkills === true ? skill.body : fillPlaceholders(skill.body, prompt);
        instructions.push({ origin: 'the skill', text, firstLine: skill.bodyLine });
    }
    if (config.output_schema !== undefined)
        instructions.push({ origin: 'the output schema', text: describeSchema(config.output_schema), firstLine: 1 });
    if (isInteractive)
        instructions.push({ origin: 'the way to ask', text: howToAsk, firstLine: 1 });
    const told = followup === undefined ? { origin: 'the prompt', text: prompt } : { origin: 'the answer', text: followup };
    const passedOn = { ...variables, ...harness.variables };
    return {
        instructions,
        prompt: { ...told, firstLine: 1 },
        modelId: config.model_id,
        mcpServers: findMcpServers(config, passedOn),
        skills,
        sessionId: continuation?.sessionId,
        searchPath,
        image,
        variables: passedOn,
        workspace: workingFolder,
        stateDir: folder.state,
        tempDir: folder.temporary,
    };
}
/** The variables may have changed since the run was created. */
function findMcpServers(config, variables) {
    try {
        return readMcpServers(config, variables);
    }
    catch (error) {
        throw error instanceof RangeError ? new run_failure_RunFailure('environment_setup_failed', error.message) : error;
    }
}

;// CONCATENATED MODULE: ./build/js/server/output/event-lines.js

/** A longer line is not an event. Bounds the memory that a program can use. */
const lineCharactersMax = 8 * 1024 * 1024;
/**
 * Splits the standard output of an agent into lines and has them read. Only LF ends a line, because texts may contain
 * Unicode's other line separators. Non-events are passed on unchanged.
 */
class EventLines {
    #reader;
    #decoder = new external_node_util_.TextDecoder('utf-8', { ignoreBOM: true });
    #pieces = [];
    #characters = 0;
    #isTooLong = false;
    constructor(reader) {
        this.#reader = reader;
    }
    read(chunk) {
        return this.#take(this.#decoder.decode(chunk, { stream: true }));
    }
    /** The last line, if it has no line end. */
    end() {
        const parts = this.#take(this.#decoder.decode());
        const rest = this.#endLine('');
        return rest === undefined ? parts : [...parts, rest];
    }
    #take(text) {
        const parts = [];
        let at = 0;
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
            this.#gather(text.slice(at, end));
            const part = this.#endLine('\n');
            if (part !== undefined)
                parts.push(part);
            at = end + 1;
        }
        this.#gather(text.slice(at));
        return parts;
    }
    #gather(text) {
        this.#characters += text.length;
        if (this.#characters > lineCharactersMax) {
            this.#isTooLong = true;
            this.#pieces = [];
        }
        else if (text !== '')
            this.#pieces.push(text);
    }
    #endLine(lineEnd) {
        const line = this.#pieces.join('');
        const isTooLong = this.#isTooLong;
        const characters = this.#characters;
        this.#pieces = [];
        this.#characters = 0;
        this.#isTooLong = false;
        if (isTooLong)
            return { text: `[a line of ${characters} characters was omitted]\n` };
        if (line.trim() === '')
            return undefined;
        const events = this.#reader.readLine(line.endsWith('\r') ? line.slice(0, -1) : line);
        return events === undefined ? { text: `${line}${lineEnd}` } : { events };
    }
}

;// CONCATENATED MODULE: ./build/js/server/output/output-divider.js
/**
 * Removes the divider that a program prints between its parts. A pipe keeps the order of one stream, so everything
 * before a divider was printed before it, no matter when it is read.
 */
class OutputDivider {
    #divider;
    /** A possible beginning of a divider whose rest is not read yet. */
    #held = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    /** Without a divider everything is one part. */
    constructor(divider = '') {
        this.#divider = Buffer.from(divider);
    }
    /** The pieces of a chunk, with a divider between each two. */
    split(stream, chunk) {
        const divider = this.#divider;
        if (divider.length === 0)
            return [chunk];
        const pieces = [];
        const held = this.#held[stream];
        const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
        let rest = held.length === 0 ? view : Buffer.concat([held, view]);
        for (let at = rest.indexOf(divider); at !== -1; at = rest.indexOf(divider)) {
            pieces.push(rest.subarray(0, at));
            rest = rest.subarray(at + divider.length);
        }
        const end = rest.length - countBegun(rest, divider);
        this.#held[stream] = rest.subarray(end);
        return [...pieces, rest.subarray(0, end)];
    }
    /** The held-back text, at the end of a stream. */
    end(stream) {
        return this.#held[stream];
    }
}
/** How many of the last bytes may be the beginning of a divider. */
function countBegun(bytes, divider) {
    for (let count = Math.min(divider.length - 1, bytes.length); count > 0; count -= 1)
        if (bytes.subarray(bytes.length - count).equals(divider.subarray(0, count)))
            return count;
    return 0;
}

;// CONCATENATED MODULE: ./build/js/server/worker/turns/agent-watch.js



const agent_watch_lookMs = 1000;
/**
 * Watches an agent that does not stop by itself. `onLimit` gets a RunFailure when the agent was silent for too long
 * while no tool was working, or exceeded its steps. Call `noteActivity` for all output. The returned function stops the
 * watch.
 */
function watchAgent({ harness: { stallMs, stepsMax }, reader, clock, onLimit, }) {
    const over = new AbortController();
    let aliveMs = clock.monotonicMs();
    const findFailure = () => {
        if (reader.isToolRunning)
            aliveMs = clock.monotonicMs();
        if (stepsMax !== undefined && reader.steps > stepsMax)
            return new run_failure_RunFailure('step_limit', `the agent reached its limit of ${(0,base_text/* counted */.hS)(stepsMax, 'step')} and was stopped. Give it a smaller task, or raise \`steps\` of the harness`);
        if (stallMs !== undefined && clock.monotonicMs() - aliveMs >= stallMs)
            return new run_failure_RunFailure('stalled', `the agent stalled: it produced no output for ${describeDuration(stallMs)} while no tool was running. Start the run again; on a server, \`stall_minutes\` of the harness sets this limit`);
        return undefined;
    };
    const look = async () => {
        for (;;) {
            await clock.sleep(Math.min(agent_watch_lookMs, stallMs ?? agent_watch_lookMs), over.signal);
            const failure = findFailure();
            if (failure === undefined)
                continue;
            onLimit(failure);
            return;
        }
    };
    look().catch(() => { });
    return {
        noteActivity: () => {
            aliveMs = clock.monotonicMs();
            if (stepsMax === undefined || reader.steps <= stepsMax)
                return;
            const failure = findFailure();
            if (failure !== undefined)
                onLimit(failure);
        },
        stop: () => over.abort(),
    };
}

;// CONCATENATED MODULE: ./build/js/server/worker/turns/agent-turn.js






/**
 * One execution of a prepared program. Its output becomes events at once; all of them are written or in flight when
 * it returns.
 */
async function readTurn({ harness, prepared, events, clock, execute, onSession, onLimit, }) {
    const { reader, redactor = border_secrets/* noSecrets */.fI } = prepared;
    if (reader === undefined)
        return await executeText(prepared, events, execute);
    const lines = new EventLines(reader);
    const watch = watchAgent({ harness, reader, clock, onLimit });
    let session;
    const output = openSlicedStream(redactor);
    const complaints = redactOutput(redactor);
    const say = async (text) => {
        if (text !== '')
            await events.write('stdout', text);
    };
    const write = async (parts) => {
        if (reader.sessionId !== undefined && reader.sessionId !== session) {
            session = reader.sessionId;
            await onSession(session);
        }
        for (const part of parts) {
            if ('text' in part)
                await say(await output.push(part.text));
            else {
                await say(output.end());
                await events.writeEvents(part.events);
            }
        }
    };
    try {
        return await execute(async (stream, chunk) => {
            if (stream === 'stderr')
                await events.write('stderr', await complaints.push(chunk));
            else
                await write(lines.read(chunk));
            watch.noteActivity();
        });
    }
    finally {
        watch.stop();
        await write(lines.end());
        await say(output.end());
        await events.write('stderr', await complaints.end());
    }
}
async function executeText({ divider: text, redactor = border_secrets/* noSecrets */.fI }, events, execute) {
    const divider = new OutputDivider(text);
    const shown = { stdout: redactOutput(redactor), stderr: redactOutput(redactor) };
    const end = await execute(async (stream, chunk) => {
        for (const [index, part] of divider.split(stream, chunk).entries()) {
            if (index > 0) {
                await events.write(stream, await shown[stream].end());
                events.beginPart(stream);
            }
            await events.write(stream, await shown[stream].push(part));
        }
    });
    for (const stream of ['stdout', 'stderr']) {
        await events.write(stream, await shown[stream].push(divider.end(stream)));
        await events.write(stream, await shown[stream].end());
    }
    return end;
}

;// CONCATENATED MODULE: ./build/js/server/harness/agents/mcp-check.js
/**
 * Programs continue without an MCP server that does not start, some silently. So each server is tried before the
 * program starts. A server is a program as well, so a process of the run does this.
 */





const problemMax = 600;
/** Program that tries the servers of a task. Undefined for a task without servers. */
function prepareMcpCheck({ mcpServers, workspace, image, variables, }) {
    const { program } = builtinAdapter;
    if (mcpServers.length === 0 || typeof program === 'string')
        return undefined;
    const own = image === undefined
        ? { command: [process.execPath, program.file], readable: [] }
        : locateOwn(program.file);
    return {
        argv: [...own.command, '--probe'],
        readable: own.readable,
        env: variables,
        stdin: JSON.stringify({ servers: mcpServers, workspace }),
    };
}
/** Standard output of the check. */
function readMcpCheck({ mcpServers, variables }, printed) {
    const { redact } = createAgentRedactor({
        endpoint: { api: 'anthropic', root: '', apiKey: undefined },
        mcpServers,
        variables,
    });
    // Only likely lines are parsed: a server may print thousands of others, and each invalid one throws.
    const lines = printed.split('\n').filter(line => line.startsWith('{"server":'));
    const found = new Map(lines.map(mcp_check_parse).map(line => [line?.server, line?.problem]));
    return {
        dead: mcpServers.flatMap(({ name, required }) => {
            const problem = found.get(name);
            return typeof problem === 'string'
                ? [{ name, isRequired: required, problem: (0,base_text/* ellipsis */.gO)(redact(problem), problemMax) }]
                : [];
        }),
        untried: mcpServers.filter(({ name }) => !found.has(name)),
    };
}
function mcp_check_parse(line) {
    try {
        const value = JSON.parse(line);
        return (0,json/* isObject */.Gv)(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/js/server/worker/turns/mcp-startup.js





const optional = '. Set `"required": false` in its entry to run without it.';
/** Output of a server during the check is not output of the agent. */
const printedBytes = 256 * 1024;
/**
 * Reports every MCP server that cannot be used and returns their names. Throws RunFailure if one of them is required.
 */
async function probeMcpServers(task, { execute, events, }) {
    const check = prepareMcpCheck(task);
    if (check === undefined)
        return [];
    const printed = new TextTail(printedBytes);
    const text = redactOutput(border_secrets/* noSecrets */.fI);
    const end = await execute({ ...check, conclude: () => Promise.reject(new Error('a check is no run')) }, async (stream, chunk) => {
        if (stream === 'stdout')
            printed.push(await text.push(chunk));
    });
    // The run itself was stopped.
    if (end.kind === 'ended' && end.stopped !== undefined)
        return [];
    const { dead, untried } = readMcpCheck(task, end.kind === 'ended' ? printed.text : '');
    for (const { name, isRequired, problem } of dead) {
        if (isRequired)
            throw new run_failure_RunFailure('environment_setup_failed', `the MCP server ${name} cannot be used: ${problem}${optional}`);
        await events.writeWarning(`the MCP server ${name} cannot be used, so the agent runs without it: ${problem}`);
    }
    const names = dead.map(({ name }) => name);
    if (untried.length === 0)
        return names;
    const unknown = untried.map(server => server.name).join(', ');
    const message = `the MCP servers ${unknown} could not be checked before the agent starts: ${describeSilence(task, end)}`;
    const required = untried.filter(server => server.required).map(server => server.name);
    if (required.length > 0)
        throw new run_failure_RunFailure('environment_setup_failed', `${message}${optional}`);
    await events.writeWarning(message);
    return names;
}
/** In a container, the checking program may be missing or too old. Anywhere, it may run out of memory. */
function describeSilence({ image }, end) {
    if (end.kind === 'not_started')
        return end.message;
    const how = end.exitCode === undefined ? `by ${end.signal ?? 'a signal'}` : `with exit code ${end.exitCode}`;
    const need = image === undefined ? '' : `; it needs Node 22 or newer as \`node\` in the image ${image}`;
    return `the program that checks them ended ${how} without a report${need}`;
}

;// CONCATENATED MODULE: ./build/js/server/worker/turns/run-turns.js









/**
 * Has a harness carry out its task. An answer that does not match the schema is returned once, if the harness can
 * resume a session. A second mismatch is a failure, even if the agent reports success.
 */
async function takeTurns(context, parts) {
    const { events, run } = context;
    const { harness, task } = parts;
    const schema = run.config.output_schema;
    if (harness.asksModel === false && task.modelId !== undefined)
        await events.writeWarning(`no model was asked: the harness ${harness.name} runs shell blocks, and hands them ${task.modelId} as AGENT_RUN_MODEL`);
    const execute = (prepared, onOutput) => executePrepared(context, parts, prepared, onOutput);
    const deadServers = harness.checksMcpServers === true ? [] : await probeMcpServers(task, { execute, events });
    const tried = { ...task, deadServers };
    const first = await takeTurn(context, { ...parts, task: tried });
    if (schema === undefined || first.ending?.state !== 'SUCCEEDED')
        return first.ending;
    const { ending, fault } = await checkAnswer(schema, first.ending);
    const sessionId = first.prepared.reader?.sessionId;
    if (fault === undefined || sessionId === undefined || harness.canResume !== true)
        return ending;
    await events.writeSystem(`the answer is returned to the agent once: ${fault}`);
    events.beginTurn();
    const prompt = { origin: 'the request for another answer', text: askForRepair(fault), firstLine: 1 };
    const again = await takeTurn(context, { ...parts, task: { ...tried, sessionId, prompt } });
    return again.ending?.state === 'SUCCEEDED' ? (await checkAnswer(schema, again.ending)).ending : again.ending;
}
async function takeTurn(context, parts) {
    const { progress, conversation, giveUp } = context;
    const { harness } = parts;
    const prepared = await harness.prepare(parts.task);
    const onStarted = () => {
        progress.hasBegun = true;
    };
    try {
        const end = await readTurn({
            ...context,
            harness,
            prepared,
            execute: onOutput => executePrepared(context, parts, prepared, onOutput, onStarted),
            onSession: sessionId => conversation.noteSession(sessionId),
            onLimit: failure => giveUp({ kind: 'limit', failure }),
        });
        return { prepared, ending: await concludeTurn(context, parts, prepared, end) };
    }
    finally {
        await prepared.forget?.();
    }
}
/** Starts it in the run's folder with the run's variables. Calls `onStarted` as soon as there is a process. */
async function executePrepared({ folder, run, conversation, programs, progress, workingFolder = folder.workspace }, { surroundings: { env, image, skillDir } }, { argv, env: own, stdin, redactor, readable }, onOutput, onStarted) {
    // The check of MCP servers has no redactor.
    progress.redactor = redactor ?? progress.redactor;
    const variables = createRunVariables(run, folder, { skillDir, canAsk: conversation.canGoOn });
    const command = { argv, cwd: workingFolder, env: { ...env, ...own, ...variables }, stdin };
    const container = image === undefined ? undefined : placeContainer(image, folder, { isAgent: true, readable });
    return await programs.execute(command, onOutput, { container, onStarted });
}
async function concludeTurn({ run, limits, log, folder, programs, events, conversation, progress }, { surroundings }, prepared, end) {
    if (end.kind === 'not_started')
        throw new run_failure_RunFailure('environment_setup_failed', end.message);
    await programs.reportLeftovers(end, 'the agent');
    const result = await readResultFile(folder.resultFile, prepared.redactor);
    if (end.stopped === 'time_limit')
        return endWithCode('time_limit', programs.describeTimeLimit(), result);
    if (end.stopped === 'signal') {
        const { runId } = run;
        return endByStop(programs.findStop(), { runId, log, result, hasBegun: progress.hasBegun });
    }
    const { exitCode, signal } = end;
    const { stdout, outputTail } = events;
    const outcome = await prepared.conclude({ exitCode, signal, stdout, outputTail, result });
    const question = await conversation.readQuestion(outcome, prepared.redactor);
    if (question !== undefined)
        return { state: 'BLOCKED', statusMessage: { message: question } };
    const why = surroundings.image === undefined ? explainCrash({ exitCode, signal }, limits) : '';
    if (outcome.state === 'FAILED')
        return endWithCode(outcome.code, `${outcome.message}${why}`, outcome.result);
    return { state: 'SUCCEEDED', result: outcome.result };
}
/** A success must also match the schema. */
async function checkAnswer(schema, ending) {
    const read = await readStructured(schema, ending.result?.text ?? '');
    if (read.isValid)
        return { ending: { ...ending, structured: read.value } };
    const message = `the answer does not satisfy the output schema: ${read.fault}. Ask for less, or relax the schema`;
    return { ending: endWithCode('result_invalid', message, ending.result), fault: read.fault };
}

;// CONCATENATED MODULE: ./build/js/server/worker/run-work.js
/** One run from claim to end: setup, task, turns, changes, artifacts, end. */
















/** For the removal of files. A deep tree takes minutes, and a later sweep removes what is left. */
const tidyLimits = { ms: 30_000, spareMs: 5_000 };
/** Returns the final state of the run, or undefined if another worker owns it now. Never rejects. */
async function carryOutRun(parts, run, stopping) {
    const context = createRunContext(parts, run, stopping);
    const stopWatching = watchClaim(context, context.giveUp);
    const onStopping = () => context.giveUp({ kind: 'stopping' });
    stopping.addEventListener('abort', onStopping, { once: true });
    if (stopping.aborted)
        onStopping();
    try {
        context.log('debug', 'run started', { run: run.runId });
        const ending = await addArtifacts(context, await findEnding(context));
        // Not awaited: that would wait for everything that still uses the signal.
        void context.progress.patchFile?.close().catch(() => { });
        // Files first: if they fill the disk, there is no room to write the end.
        const tidying = tidyAfter(context, ending);
        // The next attempt makes the same folder again.
        if (ending?.state === 'QUEUED')
            await tidying;
        else
            await waitWithin(tidying, { clock: parts.clock, signal: context.signal, ...tidyLimits });
        if (ending !== undefined)
            await writeEnding(context, ending);
        return ending?.state;
    }
    finally {
        stopWatching();
        stopping.removeEventListener('abort', onStopping);
    }
}
/** Runs the stages and turns any outcome into an ending. Undefined if the run is no longer ours to end. */
async function findEnding(context) {
    const { events, run, log, progress } = context;
    try {
        const ending = await work(context);
        await events.finish();
        return ending;
    }
    catch (error) {
        await events.finish().catch(() => { });
        if (error instanceof container_engine_ContainerFault || error instanceof SpawnerFault)
            return endWithCode('resource_unavailable', error.message);
        if (error instanceof run_failure_RunFailure || error instanceof HarnessRefusal)
            return endWithCode(error.code, error.message);
        return endByStop(readStop(error), { runId: run.runId, log, hasBegun: progress.hasBegun });
    }
}
async function work(context) {
    const { run, events, conversation, programs, signal } = context;
    const harness = findHarness(context);
    const surroundings = await setUpRun(context, harness);
    const before = await lookBefore(context, surroundings);
    for (const name of findDisabled(run.config))
        await events.writeSystem(`the MCP server ${name} was not started, because its entry disables it`);
    const task = createRunTask(context, { harness, surroundings });
    const ending = await takeTurns(context, { harness, surroundings, task });
    if (ending?.state === 'BLOCKED') {
        await conversation.noteBlocked(events.usage);
        return ending;
    }
    const lateness = findLateness(ending, signal.aborted ? programs.findStop() : undefined);
    return lateness === 'too_late' ? ending : await keepWork(context, { surroundings, before, ending, lateness });
}
function findHarness({ harnesses, run }) {
    const type = run.config.harness?.type;
    const harness = harnesses.get(type);
    if (harness !== undefined)
        return harness;
    throw new run_failure_RunFailure('operation_not_supported', `this server has no harness ${JSON.stringify(type ?? 'oz')}`);
}

;// CONCATENATED MODULE: ./build/js/server/worker/worker.js





/** Grace for a caller who was told that a conversation can continue. */
const worker_spareMs = 60_000;
function createWorker(parts) {
    const inHand = new Set();
    const onFailure = (run, error) => parts.log('warn', 'could not remove the folder of a finished run', { run, error: describeError(error) });
    // Every end of a run looks at all folders, and kept conversations can be thousands.
    let known = new Set();
    const removeUnknown = async () => {
        const seen = new Set();
        const isKnown = async (name) => {
            const isOfRun = known.has(name) || inHand.has(name) || (await parts.store.findNewest(name)) !== undefined;
            if (isOfRun)
                seen.add(name);
            return isOfRun;
        };
        const removed = await removeUnknownFolders({ dataDir: parts.dataDir, isKnown, onFailure });
        known = seen;
        return removed;
    };
    const keepMsOf = (newest) => keptMinutes(newest.config, parts.limits) * 60_000;
    return {
        async run(claimed, stopping = new AbortController().signal) {
            inHand.add(claimed.conversationId);
            try {
                return await carryOutRun({ ...parts, removeUnknownFolders: removeUnknown }, claimed, stopping);
            }
            catch (error) {
                parts.log('error', 'a run was left unfinished', { run: claimed.runId, error: describeError(error) });
                return undefined;
            }
            finally {
                inHand.delete(claimed.conversationId);
            }
        },
        async removeStaleWorkspaces() {
            const unknownFolders = await removeUnknown();
            const stale = await removeStaleFolders({
                dataDir: parts.dataDir,
                keepMs: parts.limits.keep_workspace_minutes * 60_000,
                now: parts.clock.now(),
                isInHand: name => inHand.has(name),
                async readEnd(name) {
                    const newest = await parts.store.findNewest(name);
                    if (newest === undefined)
                        return { endedAt: 0, keepMs: 0 };
                    const keepMs = keepMsOf(newest);
                    return (0,tables_state/* isFinal */.dR)(newest.state)
                        ? { endedAt: newest.finishedAt ?? 0, keepMs: keepMs === 0 ? 0 : keepMs + worker_spareMs }
                        : undefined;
                },
                onFailure,
            });
            return unknownFolders + stale;
        },
        async isConversationKept(newest) {
            const { conversationId, continuation, finishedAt = 0 } = newest;
            if (continuation === undefined || parts.clock.now() >= finishedAt + keepMsOf(newest))
                return false;
            return await isKept(locateRunFolder(parts.dataDir, conversationId, parts.workspace));
        },
    };
}

;// CONCATENATED MODULE: ./build/js/server/server.js


































/** Interval of checks on the data folder: expired workspaces, a missing database. */
const folderCheckMs = 60_000;
/**
 * Wires the parts. Nothing runs before `start`. Throws ConfigError if the data folder and the workspace overlap, or
 * if containment or limits do not work here. Throws DataFolderInUseError if another server has the data folder.
 * Throws if a newer version wrote the data. What was opened before is closed.
 */
async function createServer(config, { log = createLog(line => console.error(line)), clock = base_clock/* systemClock */.m, isInStep = false, workingFolder, } = {}) {
    const opened = [];
    try {
        if (isInStep)
            startOneSchemaThread();
        if (config.workspace !== undefined)
            refuseSharedFolder(config.workspace, config.dataDir);
        // Its programs run while the store opens.
        const finding = run_containment_findRunContainment(config, log);
        finding.catch(() => { });
        openDataFolder(config.dataDir);
        const file = isInStep ? undefined : (0,external_node_path_.join)(config.dataDir, databaseFile);
        if (file !== undefined) {
            const lock = lockDataFolder(config.dataDir);
            opened.push(() => lock.release());
        }
        // Before any write: leftovers of ended runs may have filled the disk.
        await removeStaleFolders({
            dataDir: config.dataDir,
            keepMs: config.limits.keep_workspace_minutes * 60_000,
            now: clock.now(),
            onFailure: (run, error) => log('warn', 'could not remove the folder of a finished run', { run, error: describeError(error) }),
        });
        const isNew = file === undefined || !(0,external_node_fs_.existsSync)(file);
        if (file !== undefined && hasLostDatabase(config.dataDir, file))
            log('warn', 'the database is missing or empty, so earlier runs and keys are gone; to get them back, stop the server and restore a copy', {
                file,
            });
        const store = await openSqliteStore({
            folder: file && config.dataDir,
            clock,
            onMigration: step => log('info', 'updating the database for this version; with a million runs this can take minutes', { step }),
        });
        opened.push(() => store.close());
        const [serverId, secret] = await Promise.all([
            store.readOrKeepSetting('server_id', (0,v7/* default */.A)()),
            store.readOrKeepSetting('link_secret', (0,external_node_crypto_.randomBytes)(32).toString('base64url')),
        ]);
        const engine = container_engine_findContainerEngine(config.docker);
        const containment = await finding;
        const executor = createServerExecutor({
            serverId: `${serverId}.${hashFolder(config.dataDir)}`,
            containment,
            orphanFolder: isInStep ? config.workspace : undefined,
            containers: typeof engine === 'string' || !container_settings_usesContainers(config)
                ? undefined
                : { engine, settings: config.docker.settings },
            onSweepFault: message => log('warn', 'cannot check yet for containers left by an earlier server', { cause: message }),
            onSpawnerLost: cause => log('warn', 'runs that were in progress end with ERROR', { cause }),
            onWatchdogLost: () => log('warn', 'the watchdog does not stay running; if this server is killed, its agents keep running until the next start'),
        });
        opened.push(() => executor.close());
        const harnesses = harness_set_createHarnesses(config.harnesses);
        const github = config.githubSkills &&
            createGitHubSkills(config.githubSkills, {
                executor,
                searchPath: agent_environment_findSearchPath(config.baseEnv),
                dataDir: config.dataDir,
            });
        const skills = createSkillSource(config.skillRepositories, github);
        const worker = createWorker({
            store,
            executor,
            harnesses,
            skills,
            environments: config.environments,
            git: config.git,
            image: config.docker.image,
            pageUrl: runId => `${config.publicUrl ?? address}/runs/${runId}`,
            dataDir: config.dataDir,
            workspace: config.workspace,
            workingFolder,
            limits: config.limits,
            baseEnv: config.baseEnv,
            log,
            clock,
        });
        const dispatcher = createLocalDispatcher({
            store,
            work: worker.run,
            concurrency: config.limits.concurrency,
            clock,
            log,
        });
        let isStarted = false;
        let draining = false;
        const findWriteFault = keepAnswer(() => store.findWriteFault(), clock);
        const checkFolders = async () => {
            await worker.removeStaleWorkspaces();
            if (file === undefined || (0,external_node_fs_.existsSync)(file) || draining)
                return;
            // Writes are lost at the next start, so new runs must be refused.
            draining = true;
            log('error', 'the database was removed from the data folder; new runs are refused, stop this server', {
                folder: config.dataDir,
            });
        };
        const ring = await openKeyRing(store, config.apiKey);
        opened.push(redactAlways(ring.localKey));
        let madeKey;
        const closing = new AbortController();
        let closed;
        let address = `http://${config.host}:${config.port}`;
        const app = createApp({
            store,
            clock,
            log,
            keys: ring,
            environmentCaller: isInStep ? 'by the step' : 'with the key in AGENT_RUN_API_KEY',
            links: createSessionLinks({ secret, clock }),
            artifactLinks: createArtifactLinks({ secret, clock }),
            artifactFile: (runId, uid) => locateArtifact(config.dataDir, runId, uid),
            limits: config.limits,
            harnesses,
            isConversationKept: worker.isConversationKept,
            completeConfig: createConfigCheck(harnesses, { ...config, engine }),
            refuseSkill: skills.refuse,
            listSkills: createSkillList({
                repositories: config.skillRepositories,
                github,
                environments: config.environments,
            }),
            environments: config.environments,
            publicUrl: () => config.publicUrl ?? address,
            isDraining: () => draining,
            isAtCapacity: () => dispatcher.runsInHand >= config.limits.concurrency,
            findUnready: async () => (isStarted ? await findWriteFault() : 'the server is starting'),
            stopping: closing.signal,
        });
        opened.push(() => app.close());
        return {
            fetch: app.fetch,
            get madeKey() {
                return madeKey;
            },
            hasFirstKey: ring.hasFirstKey,
            localKey: ring.localKey,
            harnessNames: harnesses.names,
            get runsInHand() {
                return dispatcher.runsInHand;
            },
            setAddress(url) {
                address = url;
            },
            async start() {
                // A new folder has a new id, so no process of an earlier server can have it.
                const swept = isNew ? 0 : await executor.sweepAll();
                const ended = await store.endOrphans('the server stopped while the run was in progress; part of its work may be done');
                if (swept > 0 || ended.length > 0)
                    log('warn', 'ended runs and processes of an earlier server', { processes: swept, runs: ended.length });
                await store.restartLeases();
                for (const text of await describeMissingPrograms(config.harnesses, agent_environment_findSearchPath(config.baseEnv)))
                    log('warn', text);
                const low = low_memory_describeLowMemory(config);
                if (low !== undefined)
                    log('warn', `${low.text}; ${low.remedy}`);
                for (const { name, user, place } of config.unsetVariables)
                    log('warn', `${place}: ${(0,variable_name/* describeUnsetVariable */.J)(name)}, so ${user} runs without it`);
                // Custom servers often need no key.
                for (const { holds, text, remedy } of config.unreadVariables)
                    if (holds === 'address')
                        log('warn', `${text}; ${remedy}`);
                if (container_settings_usesContainers(config) && typeof engine === 'string')
                    log('warn', `runs in containers will be refused: ${engine}`);
                if (config.publicUrl === undefined && !(0,loopback/* isLoopback */.U)(config.host) && (0,loopback/* isLoopback */.U)(new URL(address).hostname))
                    log('warn', 'public_url is not set in the configuration, so links work only on this machine', {
                        links: address,
                    });
                // The last step that can fail, because the key is shown only once.
                madeKey = await ring.makeFirstKey();
                const upkeep = setInterval(() => {
                    checkFolders().catch((error) => log('error', 'could not check the data folder', { error: describeError(error) }));
                }, folderCheckMs);
                opened.push(() => clearInterval(upkeep));
                dispatcher.start();
                isStarted = true;
            },
            async stop({ drainSeconds = config.limits.drain_seconds, beforeClose } = {}) {
                draining = true;
                await dispatcher.stop(drainSeconds * 1000);
                closing.abort();
                closed ??= server_closeAll([...opened, ...(beforeClose === undefined ? [] : [beforeClose])]);
                await closed;
            },
        };
    }
    catch (error) {
        await server_closeAll(opened).catch(() => { });
        throw error;
    }
}
/** True if a data folder has leftovers of runs but no database. */
function hasLostDatabase(dataDir, file) {
    const size = (0,external_node_fs_.statSync)(file, { throwIfNoEntry: false })?.size ?? 0;
    return size === 0 && ['runs', 'artifacts'].some(name => (0,external_node_fs_.existsSync)((0,external_node_path_.join)(dataDir, name)));
}
/** Repeats the last answer for two seconds: anyone may ask, and each check writes. */
function keepAnswer(look, clock) {
    let last;
    return () => {
        const atMs = clock.monotonicMs();
        if (last === undefined || atMs - last.atMs > 2000)
            last = { atMs, found: look() };
        return last.found;
    };
}
/** A copied data folder has the same id, but agents belong to the original folder. */
function hashFolder(folder) {
    return (0,external_node_crypto_.createHash)('sha256').update((0,external_node_fs_.realpathSync)(folder)).digest('hex').slice(0, 12);
}
/** Closes in reverse order of opening. Every step runs, and the first error is thrown at the end. */
async function server_closeAll(steps) {
    const faults = [];
    for (const step of steps.toReversed()) {
        try {
            await step();
        }
        catch (error) {
            faults.push(error);
        }
    }
    if (faults.length > 0)
        throw faults[0];
}

;// CONCATENATED MODULE: ./build/js/server/index.js
















// EXTERNAL MODULE: ./build/js/action/inputs/values.js
var values = __webpack_require__(8589);
// EXTERNAL MODULE: ./build/js/action/embedded/parse-command.js
var parse_command = __webpack_require__(4651);
// EXTERNAL MODULE: ./build/js/action/embedded/step-agents.js
var step_agents = __webpack_require__(3051);
;// CONCATENATED MODULE: ./build/js/action/embedded/choose-harnesses.js
/** Chooses the harnesses of a step without a server: only those that the step names. */





/** Inputs that offer a harness, in the order in which one becomes the default. */
const offers = { command: '`command`', script: '`allow_script: true`' };
/** Throws InputError if none is available, or not the requested one. */
async function chooseHarnesses(request) {
    const { command, allowScript, harness } = request;
    const names = [...(command === undefined ? [] : ['command']), ...(allowScript ? ['script'] : [])];
    // `oz` has always meant the default.
    const asked = harness === 'oz' ? undefined : harness;
    const twice = asked === undefined ? explainAmbiguity(request) : undefined;
    if (twice !== undefined)
        throw new values/* InputError */.dz(twice);
    const usual = asked ?? names[0] ?? ((0,step_agents/* hasModelKey */.T4)(request.baseEnv) ? 'builtin' : undefined);
    if (usual === undefined)
        // A step that names a model wants an agent, and lacks only its key.
        throw request.modelId === undefined
            ? new values/* InputError */.dz(nothingToRun)
            : (0,step_agents/* createMissingKeyError */.Mp)({
                who: `\`model_id\` ${(0,values/* quote */.hD)(request.modelId)}`,
                keys: (0,step_agents.findModelKeys)(request.modelId),
                more: hintAtOwnModel(request.baseEnv),
            }, request.baseEnv);
    const kind = step_agents/* stepAgentKinds */.dF.find(known => known === usual);
    if (kind === undefined && !names.includes(usual))
        throw new values/* InputError */.dz(refuseHarness(usual));
    if (request.harnessVersion !== undefined && (kind === undefined || kind === 'builtin'))
        throw new values/* InputError */.dz('`harness_version` is the version of an agent program. Set `harness` to claude, codex, gemini or opencode, or remove it');
    const passedEnv = readEnv(request);
    return {
        default: usual,
        script: allowScript,
        scriptEnv: passedEnv,
        scriptAdvice: 'set `model_id` or `command` instead of `allow_script`',
        commands: command === undefined ? {} : { command: { argv: choose_harnesses_place(await (0,parse_command.parseCommand)(command), request), env: passedEnv } },
        agents: kind === undefined
            ? {}
            : { [kind]: (0,step_agents/* prepareAgent */.pO)(kind, { env: request.baseEnv, modelId: request.modelId, passedEnv }) },
    };
}
const nothingToRun = 'no agent is set. Set `model_id` and its key under `env:` (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY), or `command` (a program that gets the task), or `allow_script: true` (run the shell blocks of the task), or `base_url` (a server). If your own model needs no key, set `model_id` and `harness: builtin`. If you set one of them from a variable, check its spelling in Settings > Secrets and variables > Actions > Variables';
/** Otherwise a step could pass by its script blocks and look as if the named agent had worked. */
function explainAmbiguity({ command, allowScript, modelId }) {
    if (!allowScript || (command === undefined && modelId === undefined))
        return undefined;
    const [name, means] = command === undefined
        ? ['model_id', 'selects the model of an agent']
        : ['command', 'selects a program for the task'];
    return `\`${name}\` ${means}, but \`allow_script: true\` runs the task's shell blocks instead; remove one of the two`;
}
/** Without a key, an address alone does not request an agent: it may be set for the job's other steps. */
function hintAtOwnModel(env) {
    const address = (0,step_agents/* findModelAddress */.b1)(env);
    return address === undefined
        ? ''
        : `. If the model at ${address} needs no key, set \`harness: builtin\` (or another agent)`;
}
function refuseHarness(name) {
    const known = [...step_agents/* stepAgentKinds */.dF, ...Object.entries(offers).map(([harness, input]) => `${harness} (with ${input})`)];
    const offer = name === 'command' || name === 'script' ? offers[name] : undefined;
    // Program names are longer: claude-code.
    const meant = step_agents/* stepAgentKinds */.dF.find(agent => name.startsWith(agent)) ?? name;
    const guess = (0,nearest/* didYouMean */.au)(meant, [...step_agents/* stepAgentKinds */.dF, ...Object.keys(offers)]);
    return offer === undefined
        ? `\`harness\`: ${(0,values/* quote */.hD)(name)} is not an agent that a step can run${guess === '' ? '.' : guess} Use one of ${known.join(', ')}, or set \`base_url\` to a server that has it`
        : `\`harness\`: ${name} needs ${offer}`;
}
/** A bare name is looked up on PATH. A name with a slash is a file relative to the agent's folder. */
function choose_harnesses_place([program, ...args], { workspace, workingFolder = workspace }) {
    return [program.includes('/') ? (0,external_node_path_.resolve)(workingFolder, program) : program, ...args];
}
function readEnv({ passedEnv }) {
    const taken = Object.keys(passedEnv).filter(name => name.startsWith('AGENT_RUN_'));
    if (taken.length === 0)
        return passedEnv;
    throw new values/* InputError */.dz(`\`pass_env\`: ${taken.join(', ')} cannot be passed to the agent, because names with AGENT_RUN_ are reserved; use another name under \`env:\``);
}

;// CONCATENATED MODULE: ./build/js/action/embedded/direct-fetch.js
/** A fetch that reaches a server in this process, without a port. */

/**
 * Rejects like the platform's fetch:
 * - with the signal's reason as soon as it aborts, for the body too;
 * - with a TypeError if `isClosed` returns true, which is checked before each call.
 */
function createDirectFetch(serve, isClosed) {
    return async (url, init) => {
        if (isClosed())
            throw new TypeError('fetch failed', { cause: new Error('the server inside the step is closed') });
        const request = new Request(url, init);
        // A Request holds its signal weakly. The caller holds the given one.
        const signal = init?.signal ?? request.signal;
        signal.throwIfAborted();
        const answer = Promise.resolve(serve(request));
        return (0,answers/* watchAnswer */.c_)(await (0,answers/* answerUnlessAborted */.O6)(answer, signal), { signal });
    };
}

;// CONCATENATED MODULE: ./build/js/action/embedded/embedded.js
/**
 * The server inside the step: the whole service in this process, reached without a port. It keeps its data in its own
 * folder below RUNNER_TEMP and deletes it on close. Its runs work in the job's workspace. When the step is killed,
 * the server's watchdog kills the agents.
 *
 * Only this file of the action imports the server. `import()` loads it if the step names no server.
 */












const longestJobMinutes = 5 * 24 * 60;
/** From SIGTERM to SIGKILL. A canceled step has 7.5 s for everything. */
const graceSeconds = 1.5;
/** Throws InputError if the step's inputs have to change, and an Error with a sentence if the server cannot start. */
async function openEmbedded(options) {
    if ((options.platform ?? process.platform) === 'win32')
        throw new values/* InputError */.dz('the agent cannot run in a step on Windows; set `base_url` to a server, or use a Linux or macOS runner');
    const harnesses = await chooseHarnesses(options);
    for (const { argv, env } of Object.values(harnesses.commands))
        await embedded_refuseMissing(argv[0], env.PATH ?? options.baseEnv.PATH, options.workingFolder ?? options.workspace);
    const bashPath = harnesses.scriptEnv.PATH ?? options.baseEnv.PATH;
    if (harnesses.default === 'script' && bashPath !== undefined && program_file_findProgram('bash', bashPath) === undefined)
        throw new values/* InputError */.dz('`allow_script`: shell blocks need bash, which is not on the PATH of the step; install it in an earlier step');
    const programs = new Map();
    for (const { kind, env, endpoint } of Object.values(harnesses.agents)) {
        if (endpoint.apiKey !== undefined)
            options.mask?.(endpoint.apiKey);
        for (const value of Object.values(endpoint.headers ?? {}))
            if (value.length >= secret_variables/* secretLengthMin */.fM)
                options.mask?.(value);
        const provided = await provideProgram(kind, { ...options.baseEnv, ...env }, options);
        if (provided !== undefined)
            programs.set(kind, provided);
    }
    const folder = await makeFolder(options.tempDir ?? (0,external_node_os_.tmpdir)());
    const apiKey = `ar-${(0,external_node_crypto_.randomBytes)(32).toString('base64url')}`;
    let server;
    let closing;
    const close = () => (closing ??= closeDown(server, folder, options.warn));
    try {
        server = await createServer(configure(options, { folder, apiKey, harnesses, programs }), {
            log: warnOf(options.warn),
            isInStep: true,
            workingFolder: options.workingFolder,
        });
        await server.start();
    }
    catch (error) {
        await close();
        throw new Error(`the server inside the step could not start: ${explainStart(error, options)}`, { cause: error });
    }
    return {
        baseUrl: 'http://127.0.0.1',
        apiKey,
        isWorkspaceEmpty: await embedded_isEmpty(options.workingFolder ?? options.workspace),
        asksModel: harnesses.default !== 'script',
        fetch: createDirectFetch(server.fetch, () => closing !== undefined),
        close,
    };
}
/** Server defaults, adjusted to what a step knows. */
function configure({ workspace, workingFolder = workspace, repository, baseEnv, runMinutes = longestJobMinutes }, { folder, apiKey, harnesses, programs, }) {
    const { PATH, LANG, LC_ALL, USER, LOGNAME, RUNNER_TRACKING_ID } = baseEnv;
    // The folder is new, so there is no configuration file.
    const usual = readServerConfig({
        env: { PATH, LANG, LC_ALL, USER, LOGNAME, AGENT_RUN_API_KEY: apiKey },
        cwd: folder,
    });
    return {
        ...usual,
        dataDir: (0,external_node_path_.join)(folder, 'data'),
        workspace: (0,external_node_path_.resolve)(workspace),
        // In a user namespace of a non-root user, no program can gain rights. `sudo apt-get install`, which agents use on
        // runners, would fail.
        containment: process.getuid?.() === 0 ? 'auto' : 'process_group',
        harnesses: { ...harnesses, agents: withPrograms(harnesses.agents, programs) },
        skillRepositories: repository === undefined
            ? {}
            : { [repository]: (0,external_node_fs_.existsSync)((0,external_node_path_.join)(workingFolder, '.git')) ? workingFolder : workspace },
        baseEnv: { ...usual.baseEnv, ...(RUNNER_TRACKING_ID === undefined ? {} : { RUNNER_TRACKING_ID }) },
        limits: {
            ...usual.limits,
            concurrency: 1,
            run_minutes: runMinutes,
            grace_seconds: graceSeconds,
            // The server ends with the step, so no conversation can continue.
            keep_conversation_minutes: 0,
        },
    };
}
function withPrograms(agents, programs) {
    return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, { ...agent, ...programs.get(name) }]));
}
/** Fails early. A run would fail with the same reason later. */
async function embedded_refuseMissing(program, searchPath, folder) {
    if ((0,external_node_path_.isAbsolute)(program)) {
        if (!program_file_isProgram(program))
            throw new values/* InputError */.dz(`\`command\`: ${await explainUnusable(program, folder)}`);
    }
    else if (searchPath !== undefined && program_file_findProgram(program, searchPath) === undefined)
        throw new values/* InputError */.dz(`\`command\`: the program ${program} is not on the PATH of the step; install it in an earlier step, or give its path`);
}
async function explainUnusable(program, folder) {
    const found = await (0,promises_.stat)(program).catch(() => undefined);
    if (found === undefined)
        return `${program} does not exist; check the path, and that an earlier step checks out the repository`;
    if (found.isDirectory())
        return `${program} is a folder; name a program in it`;
    const path = (0,external_node_path_.relative)(folder, program);
    const command = path.startsWith('..') ? `chmod +x ${program}` : `git update-index --chmod=+x ${path}`;
    return `${path} is not executable; run \`${command}\`, or set \`command\` to \`sh ${path}\``;
}
/** Undefined for an agent without a program of its own. */
async function provideProgram(kind, env, { workspace, harnessVersion: version, print = () => { }, signal }) {
    if (!programs_isAgentProgramName(kind))
        return undefined;
    try {
        const provided = await provideAgent(kind, { version, env, cwd: workspace, print, signal });
        if (provided !== undefined)
            return provided;
    }
    catch (error) {
        if (error instanceof install_agent_AgentInstallError)
            throw new values/* InputError */.dz(`\`harness\`: ${error.message}`);
        throw error;
    }
    const { title, package: name, version: tested } = programs_agentPrograms[kind];
    throw new values/* InputError */.dz(`\`harness\`: ${title} is not on the PATH of the step; set \`harness_version: ${tested}\`, install it in an earlier step (npm install --global ${name}@${tested}), or remove \`harness\` to use the built-in agent`);
}
async function embedded_isEmpty(folder) {
    const entries = await (0,promises_.readdir)(folder).catch(() => undefined);
    return entries?.length === 0;
}
/** `mkdtemp` makes it private to its owner. */
async function makeFolder(parent) {
    try {
        return await (0,promises_.mkdtemp)((0,external_node_path_.join)(parent, 'agent-run-'));
    }
    catch (error) {
        throw new Error(`the server inside the step could not start: cannot create a folder in ${parent} (${readCode(error)}); RUNNER_TEMP must be a folder that this user can write to`, { cause: error });
    }
}
async function closeDown(server, folder, warn) {
    const tell = (what) => (error) => warn(`${what}: ${(0,cause/* messageOf */.bD)(error)}`);
    await server?.stop({ drainSeconds: 0 }).catch(tell('the server inside the step did not stop cleanly'));
    await (0,folders/* removeTree */.dM)(folder).catch(tell(`the data of the server inside the step in ${folder} could not be removed`));
}
/** Only warnings and errors, because the step's log already shows the runs. */
function warnOf(warn) {
    return (level, message, fields = {}) => {
        if (level !== 'warn' && level !== 'error')
            return;
        const details = Object.entries(fields).flatMap(([name, value]) => value === undefined ? [] : [`${name} ${value}`]);
        warn([message, ...details].join(', '));
    };
}
function explainStart(error, { workspace, tempDir }) {
    if (error instanceof config_schema_ConfigError)
        return `RUNNER_TEMP (${tempDir}) and the workspace (${workspace}) must not contain each other; use separate folders`;
    return (0,cause/* messageOf */.bD)(error);
}
function readCode(error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}


/***/ }),

/***/ 4651:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseCommand: () => (/* binding */ parseCommand)
/* harmony export */ });
/* harmony import */ var _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8589);
/**
 * The input `command`: a list of words in JSON or YAML, or a line that is split at spaces. No shell reads it, so
 * characters with a meaning for a shell are refused rather than passed on.
 */

const spaces = ' \t';
/** In double quotes, a backslash escapes these, as in a shell. */
const escapable = '"\\$`';
const shellWords = 'use ["sh", "-c", "…"] to run a shell command';
/** Throws InputError. Shows only the offending character, because the command may contain a key. */
async function parseCommand(text) {
    const trimmed = text.trim();
    const words = /^(\[|-\s)/.test(trimmed) ? await readList(trimmed) : splitLine(trimmed);
    const [program = '', ...args] = words;
    if (program.trim() === '')
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` must start with a program');
    if (/^[A-Za-z_]\w*=/.test(program))
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` must start with a program, not with a variable; set the variable under `env:` of the step and name it in `pass_env`, or start with the program `env`');
    return [program, ...args];
}
async function readList(text) {
    const list = readJson(text) ?? (await readYaml(text));
    if (isWords(list))
        return list;
    throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command`: the list must contain only strings, such as ["my-agent", "--json"]');
}
function readJson(text) {
    try {
        const value = JSON.parse(text);
        return isWords(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
/** In this schema, every scalar is text: `1.0` stays a word. */
async function readYaml(text) {
    const { parse } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    try {
        return parse(text, { schema: 'failsafe', prettyErrors: false });
    }
    catch {
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` starts like a list but is neither JSON nor YAML; use a list such as ["my-agent", "--json"], or one line');
    }
}
function isWords(value) {
    return Array.isArray(value) && value.every(word => typeof word === 'string');
}
function splitLine(line) {
    const words = [];
    let word;
    for (let at = 0; at < line.length;) {
        const sign = line.charAt(at);
        if (spaces.includes(sign)) {
            if (word !== undefined)
                words.push(word);
            word = undefined;
            at += 1;
            continue;
        }
        const piece = sign === "'" || sign === '"' ? readQuoted(line, at) : readBare(line, at, word === undefined);
        word = (word ?? '') + piece.text;
        at = piece.end;
    }
    return word === undefined ? words : [...words, word];
}
function readQuoted(line, start) {
    const quote = line.charAt(start);
    let text = '';
    for (let at = start + 1; at < line.length; at += 1) {
        const sign = line.charAt(at);
        if (sign === quote)
            return { text, end: at + 1 };
        const next = line.charAt(at + 1);
        if (quote === "'")
            text += sign;
        else if (sign === '\\' && next !== '' && escapable.includes(next)) {
            text += next;
            at += 1;
        }
        else if (sign === '`' || (sign === '$' && /[\w{(]/.test(next)))
            throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: ${sign} in double quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`);
        else
            text += sign;
    }
    throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: the quote ${quote} is never closed; close it, or put a backslash before it`);
}
function readBare(line, at, isFirst) {
    const sign = line.charAt(at);
    const next = line.charAt(at + 1);
    if (sign === '\\' && next !== '' && !'\r\n'.includes(next))
        return { text: next, end: at + 2 };
    if ('\r\n'.includes(sign) || sign === '\\')
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\` must be one line or a list; or ${shellWords}`);
    if ('|&;<>()$`*?['.includes(sign) || (isFirst && '~#'.includes(sign)))
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: ${sign === '&' && next === '&' ? '&&' : sign} outside quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`);
    return { text: sign, end: at + 1 };
}


/***/ }),

/***/ 3051:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Mp: () => (/* binding */ createMissingKeyError),
/* harmony export */   T4: () => (/* binding */ hasModelKey),
/* harmony export */   b1: () => (/* binding */ findModelAddress),
/* harmony export */   dF: () => (/* binding */ stepAgentKinds),
/* harmony export */   findModelKeys: () => (/* binding */ findModelKeys),
/* harmony export */   pO: () => (/* binding */ prepareAgent),
/* harmony export */   spellKeys: () => (/* binding */ spellKeys)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1065);
/* harmony import */ var _base_network_request_headers_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8817);
/* harmony import */ var _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8589);
/** The agents of a step without a server. Their providers define the variables for keys and addresses. */



/** Ordered by priority, for several keys and a model name that matches no provider. */
const providers = [
    {
        api: 'anthropic',
        key: 'ANTHROPIC_API_KEY',
        address: 'ANTHROPIC_BASE_URL',
        root: 'https://api.anthropic.com',
        headers: { variable: 'ANTHROPIC_CUSTOM_HEADERS', separator: /\n/ },
        models: /^claude/i,
    },
    {
        api: 'openai-responses',
        // Gateways and local servers use this API.
        ownApi: 'openai-chat',
        key: 'OPENAI_API_KEY',
        address: 'OPENAI_BASE_URL',
        root: 'https://api.openai.com',
        models: /^(gpt|chatgpt|codex|o\d)/i,
    },
    {
        api: 'gemini',
        key: 'GEMINI_API_KEY',
        address: 'GOOGLE_GEMINI_BASE_URL',
        root: 'https://generativelanguage.googleapis.com',
        headers: { variable: 'GEMINI_CLI_CUSTOM_HEADERS', separator: /,(?=\s*[^,:]+:)/ },
        models: /^gemini/i,
    },
];
const agentApis = {
    builtin: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
    claude: ['anthropic'],
    codex: ['openai-responses'],
    gemini: ['gemini'],
    opencode: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
};
/** A token of `claude setup-token`, for Claude Code alone. An API key takes precedence, as it does in the program. */
const oauthToken = 'CLAUDE_CODE_OAUTH_TOKEN';
const stepAgentKinds = Object.keys(agentApis);
/** A model key requests an agent, even if the step does not name one. */
function hasModelKey(env) {
    return providers.some(provider => isSet(env[provider.key]));
}
/** Returns the variables that may hold the model's key: one if the model name tells the provider. */
function findModelKeys(modelId) {
    const meant = providers.filter(provider => isMeant(provider, modelId));
    return (meant.length === 0 ? providers : meant).map(({ key }) => key);
}
/** `who` begins the sentence, `more` ends it. */
function createMissingKeyError({ who, keys, more = '' }, env) {
    const isUnset = keys.every(key => env[key] === undefined);
    const lack = `${who} needs ${nameKeys(keys)}, but it is ${isUnset ? 'not set' : 'empty'}`;
    const hint = isSet(env[oauthToken]) ? `. ${oauthToken} works with \`harness: claude\` only` : '';
    return new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .MissingCredentialError */ .ug(lack, { remedy: `${giveKey(keys)}${more}${hint}`, isUnset });
}
function nameKeys(keys) {
    return `${keys.join(' or ')} under \`env:\` of the step`;
}
function giveKey(keys) {
    return `. Set ${keys.length === 1 ? spellKeys(keys) : 'the one of your provider'} there`;
}
/** Returns a line for the workflow for one key, otherwise the names. */
function spellKeys([key = '', ...more]) {
    return more.length === 0 ? `\`${key}: \${{ secrets.${key} }}\`` : [key, ...more].join(' or ');
}
function findModelAddress(env) {
    return providers.find(provider => isSet(env[provider.address]))?.address;
}
/** Throws InputError if the key or the model is missing. */
function prepareAgent(kind, { env, modelId, passedEnv }) {
    const endpoint = findEndpoint(kind, env, modelId);
    const meant = providers.find(provider => isMeant(provider, modelId) && speaks(kind, provider.api));
    if (endpoint === undefined) {
        const able = meant === undefined ? providers.filter(({ api }) => speaks(kind, api)) : [meant];
        const keys = kind === 'claude' && env[oauthToken] !== undefined ? [oauthToken] : able.map(({ key }) => key);
        throw createMissingKeyError({ who: `\`harness\`: ${kind}`, keys }, env);
    }
    if (providers.some(({ root }) => root === endpoint.root)) {
        refusePrefix(modelId);
        // With a key for another provider, the agent would ask that provider for an unknown model.
        if (meant !== undefined && endpoint.keyType === 'api_key' && !isSet(env[meant.key]))
            throw refuseOtherKey(meant.key, modelId, env);
    }
    if (modelId === undefined)
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`model_id\` is missing. Set it to a model for ${kind === 'builtin' ? 'the built-in agent' : (0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(kind)}, such as claude-haiku-4-5`);
    return {
        kind,
        endpoint,
        model: modelId,
        models: undefined,
        program: undefined,
        steps: 200,
        stallMs: 600_000,
        env: passedEnv,
    };
}
function findEndpoint(kind, env, modelId) {
    const inOrder = providers.toSorted((a, b) => Number(isMeant(b, modelId)) - Number(isMeant(a, modelId)));
    for (const { api, ownApi = api, key: usualKey, address, root, headers } of inOrder) {
        const isOAuth = kind === 'claude' && api === 'anthropic' && !isSet(env[usualKey]) && isSet(env[oauthToken]);
        const key = isOAuth ? oauthToken : usualKey;
        const [apiKey, own] = [env[key], env[address]?.trim()];
        const isOwn = isSet(own);
        const spoken = isOwn && speaks(kind, ownApi) ? ownApi : api;
        if (!speaks(kind, spoken) || !(isSet(apiKey) || isOwn))
            continue;
        if (isOwn && !isWebAddress(own))
            throw refuseAddress(address, own);
        const chosen = isOwn ? own : root;
        return {
            api: spoken,
            root: chosen.replace(/\/+$/, '').replace(/\/v1(beta)?$/, ''),
            apiKey: isSet(apiKey) ? apiKey.trim() : undefined,
            keyType: isOAuth ? 'oauth_token' : 'api_key',
            headers: headers && readHeaders(headers, env),
            keyOrigin: `${key} under \`env:\` of the step`,
            addressOrigin: `${address} under \`env:\` of the step`,
        };
    }
    return undefined;
}
function readHeaders({ variable, separator }, env) {
    const text = env[variable];
    try {
        return isSet(text) ? (0,_base_network_request_headers_js__WEBPACK_IMPORTED_MODULE_1__/* .parseHeaders */ .Q)(text, separator) : undefined;
    }
    catch (error) {
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${variable} under \`env:\` of the step: ${(0,_base_cause_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error)}`);
    }
}
function isMeant({ models }, modelId = '') {
    return models.test(modelId);
}
/** Another key is set, so the event has secrets. An unset variable was therefore forgotten. */
function refuseOtherKey(key, modelId = '', env) {
    const who = `\`model_id\` ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(modelId)}`;
    return env[key] === undefined
        ? new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${who} needs ${nameKeys([key])}, but it is not set${giveKey([key])}`)
        : createMissingKeyError({ who, keys: [key] }, env);
}
/** Gateways name models `provider/model`. The providers themselves do not accept that. */
function refusePrefix(modelId = '') {
    const [, prefix, name = ''] = /^(anthropic|openai|google|gemini)\/(.+)$/i.exec(modelId) ?? [];
    if (prefix !== undefined)
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`model_id\` ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(modelId)} has a prefix that only gateways use. Write it without: ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}`);
}
/** An address with a password is not shown at all. */
function refuseAddress(variable, address) {
    const shown = address.includes('@') ? '' : `, not ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(address)}`;
    return new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${variable} under \`env:\` of the step must be the http or https URL of the agent's model, such as http://127.0.0.1:11434/v1${shown}`);
}
function speaks(kind, api) {
    const apis = agentApis[kind];
    return apis.includes(api);
}
function isSet(text) {
    return text !== undefined && text.trim() !== '';
}
function isWebAddress(text) {
    return /^https?:\/\//i.test(text) && URL.canParse(text);
}


/***/ }),

/***/ 8817:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ parseHeaders),
/* harmony export */   V: () => (/* binding */ findHeaderFault)
/* harmony export */ });
/** Headers that a user adds to the requests for a model, such as those of a gateway. */
/** Carry the key, which has a setting of its own. */
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];
/** Completes a sentence that begins with the name of the setting. Undefined for a valid header. Never has the value. */
function findHeaderFault(name, value) {
    // A name may be a secret without its name.
    if (!/^[\w.-]{1,100}$/.test(name))
        return 'the name (not shown) is not the name of a header';
    if (keyHeaders.includes(name.toLowerCase()))
        return `${name} carries the key. Set the key instead`;
    return /^[\t -~]*$/.test(value)
        ? undefined
        : `the value of ${name} (not shown) has characters that no header can carry`;
}
/** Reads `Name: value` pairs. Throws an Error whose message completes a sentence, without any value. */
function parseHeaders(text, separator) {
    const pairs = text.split(separator).map(pair => pair.trim());
    const headers = pairs.flatMap((pair, index) => {
        if (pair === '')
            return [];
        const at = pair.indexOf(':');
        if (at < 1)
            throw new Error(`header ${index + 1} (not shown) has no colon. Write it as \`Name: value\``);
        const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
        const fault = findHeaderFault(name, value);
        if (fault !== undefined)
            throw new Error(`header ${index + 1}: ${fault}`);
        return [[name, value]];
    });
    return Object.fromEntries(headers);
}


/***/ }),

/***/ 2771:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Qw: () => (/* binding */ describeArtifact)
/* harmony export */ });
/* unused harmony exports printArtifact, printBytes */
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6910);

/** Servers of other versions may send other types or nothing. */
function describeArtifact(artifact) {
    const type = String(artifact.artifact_type ?? 'thing');
    const data = (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(artifact.data) ? artifact.data : {};
    const read = (...names) => names.map(name => textOf(data[name])).find(text => text !== undefined);
    const word = type.toLowerCase().replaceAll('_', ' ');
    const url = read('url');
    const name = read('title', 'filepath', 'filename') ?? url ?? read('description', 'reference_type') ?? word;
    const size = type === 'FILE' && typeof data.size_bytes === 'number' ? [printBytes(data.size_bytes)] : [];
    // The path of a step's copy; null if it has none.
    const copy = data.path === null ? 'not kept' : read('path');
    const more = [read('branch'), read('description'), read('title') === undefined ? undefined : read('filepath'), copy];
    return {
        kind: type === 'EXTERNAL_REFERENCE' ? (read('reference_type') ?? word) : word,
        name,
        url,
        fileUid: type === 'FILE' ? read('artifact_uid') : undefined,
        details: [...size, ...new Set(more.filter(text => text !== undefined && text !== name))],
    };
}
/** `file: report.html, 1.2 KB`, in one line. */
function printArtifact(artifact) {
    const { kind, name, url, details } = describeArtifact(artifact);
    const address = url === undefined || url === name ? [] : [url];
    return [`${kind}: ${name}`, ...address, ...details].join(', ').replace(/\s+/g, ' ');
}
function textOf(value) {
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
const units = ['bytes', 'KB', 'MB', 'GB'];
/** `812 bytes`, `1.5 KB`; 1 KB is 1000 bytes. */
function printBytes(bytes) {
    let [size, unit] = [bytes, 0];
    while (size >= 999.5 && unit < units.length - 1)
        [size, unit] = [size / 1000, unit + 1];
    const shown = unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10;
    return `${shown} ${units[unit]}`;
}


/***/ })

};

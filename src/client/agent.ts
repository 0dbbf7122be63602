import { isObject } from '../base/json.ts';
import type { AgentListParams, AgentsAnswer } from '../contract/agents.ts';
import type { EnvironmentListParams, EnvironmentsAnswer } from '../contract/environments.ts';
import { routes } from '../contract/tables/routes.ts';
import type { Answer } from './http/answer.ts';
import { ApiPromise } from './http/api-promise.ts';
import type { Transport } from './http/transport.ts';
import { checkNames, checkOptions, type RequestOptions, requestNames } from './options/options.ts';

/** Skills and environments that runs can use. The calls throw the same errors as those of `runs`. */
export class Agent {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The skills that a run can use, grouped by name. Throws NotFoundError if the server does not read the repository.
   */
  list(params: AgentListParams = {}, options: RequestOptions = {}): ApiPromise<AgentsAnswer> {
    const names = ['repo', 'refresh', 'sort_by', 'include_malformed_skills'];
    return new ApiPromise(this.#read('agents', params, names, options), ({ data }) => data as AgentsAnswer);
  }

  /** The environments that a run can use. Pass the `uid` or name of one as `config.environment_id`. */
  listEnvironments(params: EnvironmentListParams = {}, options: RequestOptions = {}): ApiPromise<EnvironmentsAnswer> {
    return new ApiPromise(
      this.#read('environments', params, ['sort_by'], options),
      ({ data }) => data as EnvironmentsAnswer,
    );
  }

  async #read(
    member: 'agents' | 'environments',
    params: object,
    names: readonly string[],
    options: RequestOptions,
  ): Promise<Answer> {
    checkNames('the parameters of a list', params, names);
    checkOptions('the options of a call', options, requestNames);
    const { method, path } = routes[member === 'agents' ? 'listAgents' : 'listEnvironments'];
    return await this.#transport.send({
      ...options,
      method,
      path,
      as: 'json',
      isExpected: data => isObject(data) && Array.isArray(data[member]),
      isIdempotent: true,
      query: { ...options.query, ...params },
    });
  }
}

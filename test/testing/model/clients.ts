import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelApi } from '../../../src/testing/index.ts';

/** The model `m-1` of a server, through a third-party client of the API. */
export function clientModel(api: ModelApi, url: string): LanguageModel {
  const apiKey = 'key-of-the-test';
  switch (api) {
    case 'openai-chat':
      return createOpenAICompatible({ name: 'run', baseURL: `${url}/v1`, apiKey, includeUsage: true })('m-1');
    case 'openai-responses':
      return createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('m-1');
    case 'anthropic':
      return createAnthropic({ baseURL: `${url}/v1`, apiKey })('m-1');
    case 'gemini':
      return createGoogle({ baseURL: `${url}/v1beta`, apiKey })('m-1');
  }
}

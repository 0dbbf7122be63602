export { defaultPort, readServerConfig, type ServerConfig, type ServerFlags } from './config.ts';
export { ConfigError } from './config-schema.ts';
export { findProgram, isProgram } from './harness/program-path.ts';
export { type Listening, listen } from './listen.ts';
export { createLog, type Log, type LogLevel } from './log.ts';
export { type AgentRunServer, createServer } from './server.ts';
export { DataFolderInUseError } from './store/data-lock.ts';

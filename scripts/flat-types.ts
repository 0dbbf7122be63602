/**
 * The contract's types without the schema library. tsc declares them as `z.infer<typeof runSchema>` of schemas that
 * it declares beside them. Here the aliases of such a file become what they stand for, as the compiler works it out
 * from the sources, and the schemas go. test/package holds the two against each other.
 */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { API, type Project, SymbolFlags, type Type, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { root } from './package-folder.ts';
import { TypeText } from './type-text.ts';

const source = join(root, 'src');
const typeFlags = SymbolFlags.TypeAlias | SymbolFlags.Interface;

export class TypeFlattener implements Disposable {
  readonly #api: API;
  readonly #project: Project;
  readonly #text: TypeText;
  /** Where a type that the contract exports comes from, by its name. */
  readonly #fileOf = new Map<string, string>();
  /** Names of objects that carry none themselves, by the compiler's number for them. */
  readonly #objectNames = new Map<number, string>();

  constructor() {
    const config = join(root, 'tsconfig.build.json');
    this.#api = new API({ cwd: root });
    const project = this.#api.updateSnapshot({ openProject: config }).getProject(config);
    if (project === undefined) throw new Error(`the compiler finds no project in ${config}`);
    this.#project = project;
    this.#text = new TypeText(project, type => this.#nameOf(type));
    for (const file of readdirSync(join(source, 'contract'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      for (const symbol of this.#exportsOf(`contract/${file}`)) {
        this.#fileOf.set(symbol.name, file);
        const type = project.checker.getDeclaredTypeOfSymbol(symbol);
        if (type.isObjectType()) this.#objectNames.set(type.id, symbol.name);
      }
    }
  }

  /** `declarations` is what tsc made of the file of the contract at `path`, which is below src. */
  flatten(declarations: string, path: string): string {
    if (!/from 'zod'/.test(declarations)) return declarations;
    const statements = splitStatements(declarations)
      .filter(statement => !/^import /m.test(statement))
      .filter(statement => !(/^(export )?declare (const|function)/m.test(statement) && /\bz\.\w/.test(statement)));
    const kept = statements.filter(isExported).map(statement => this.#expandAlias(statement, path));
    const local = statements.filter(statement => !isExported(statement));
    // Of what the file keeps to itself, only what is still named.
    for (const statement of local)
      if (kept.some(other => mentions(other, nameOf(statement)))) kept.push(this.#expandAlias(statement, path));
    const imports = [...this.#fileOf]
      .filter(([name, file]) => path !== `contract/${file}` && kept.some(statement => mentions(statement, name)))
      .map(([name, file]) => `import type { ${name} } from '${relativeTo(path, `contract/${file}`)}';`);
    return [...imports, ...kept, ''].join('\n');
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }

  #expandAlias(statement: string, path: string): string {
    const [head = '', name = ''] = /^[\s\S]*?^(?:export )?type (\w+) = /m.exec(statement) ?? [];
    if (head === '') return statement;
    const symbol = this.#project.checker.resolveName(name, SymbolFlags.TypeAlias, this.#fileAt(path));
    if (symbol === undefined) throw new Error(`${path} has no type ${name}`);
    return `${head}${this.#text.print(this.#project.checker.getDeclaredTypeOfSymbol(symbol))};`;
  }

  #exportsOf(path: string): readonly TypeSymbol[] {
    const { checker } = this.#project;
    const module = checker.getSymbolAtLocation(this.#fileAt(path));
    return module === undefined
      ? []
      : checker.getExportsOfModule(module).filter(({ flags }) => (flags & typeFlags) !== 0);
  }

  #fileAt(path: string) {
    const file = this.#project.program.getSourceFile(join(source, path));
    if (file === undefined) throw new Error(`the compiler does not know src/${path}`);
    return file;
  }

  #nameOf(type: Type): string | undefined {
    const own = type.getAliasSymbol() ?? type.getSymbol();
    return own !== undefined && this.#fileOf.has(own.name) ? own.name : this.#objectNames.get(type.id);
  }
}

function relativeTo(from: string, to: string): string {
  const way = posix.relative(posix.dirname(from), to);
  return way.startsWith('.') ? way : `./${way}`;
}

/** Top-level statements with their doc comments; tsc begins and ends each at the margin. */
function splitStatements(declarations: string): readonly string[] {
  const pattern = /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^\w[^\n]*(?:;|\}|\{\n[\s\S]*?^\}.*)$/gm;
  return [...declarations.matchAll(pattern)].map(match => match[0]);
}

function isExported(statement: string): boolean {
  return /^export /m.test(statement);
}

function nameOf(statement: string): string {
  return /^(?:declare )?\w+ (\w+)/m.exec(statement)?.[1] ?? '';
}

function mentions(statement: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(statement.replace(/\/\*[\s\S]*?\*\//g, ''));
}

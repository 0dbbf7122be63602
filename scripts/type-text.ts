/**
 * A type, as the compiler has worked it out, written as a person would: members one by one, with their doc comments,
 * known types by name.
 */
import type { Checker, Project, Type, Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { SignatureKind, SymbolFlags, TypeFlags } from 'typescript/unstable/sync';
import { descriptionOf } from './schema-description.ts';

/** The name by which a type is to be written wherever it is a part of another. */
type NameOf = (type: Type) => string | undefined;

export class TypeText {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #nameOf: NameOf;

  constructor(project: Project, nameOf: NameOf) {
    this.#project = project;
    this.#checker = project.checker;
    this.#nameOf = nameOf;
  }

  /** The type itself, not its name. */
  print(type: Type, indent = ''): string {
    if (type.isUnionType()) return this.#printUnion(type.getTypes(), indent);
    if (this.#checker.isTupleType(type)) return this.#checker.typeToString(type);
    if (this.#checker.isArrayType(type)) return this.#printArray(type, indent);
    if (type.isIntersectionType() && type.getTypes().some(part => (part.flags & TypeFlags.Object) === 0))
      return `(${type
        .getTypes()
        .map(part => this.#printName(part, indent))
        .join(' & ')})`;
    if (type.isIntersectionType() || type.isObjectType()) return this.#printObject(type, indent);
    if (type.isStringLiteralType()) return `'${type.value.replace(/['\\]/g, '\\$&')}'`;
    return this.#checker.typeToString(type);
  }

  #printName(type: Type, indent: string): string {
    const name = this.#nameOf(type);
    if (name === undefined) {
      const alias = type.getAliasSymbol();
      return alias?.name === 'Record' ? this.#printArguments('Record', type, indent) : this.print(type, indent);
    }
    return this.#printArguments(name, type, indent);
  }

  #printArguments(name: string, type: Type, indent: string): string {
    const given = type.getAliasSymbol() === undefined ? [] : type.getAliasTypeArguments();
    return given.length === 0 ? name : `${name}<${given.map(one => this.#printName(one, indent)).join(', ')}>`;
  }

  #printUnion(parts: readonly Type[], indent: string): string {
    const isLast = (part: Type) => (part.flags & TypeFlags.Nullable) !== 0;
    const texts = [...parts.filter(part => !isLast(part)), ...parts.filter(isLast)]
      .filter(part => !this.#isMissing(part))
      .map(part => this.#printName(part, indent));
    // The compiler has two halves of a boolean.
    const joined =
      texts.includes('true') && texts.includes('false')
        ? ['boolean', ...texts.filter(text => text !== 'true' && text !== 'false')]
        : texts;
    return joined.join(' | ');
  }

  /**
   * The `undefined` that only says that a member can be left out: `a?: string` is not `a?: string | undefined` here.
   */
  #isMissing(type: Type): boolean {
    return (type.flags & TypeFlags.Undefined) !== 0 && type.id !== this.#checker.getUndefinedType().id;
  }

  #printArray(type: Type, indent: string): string {
    const [item] = this.#checker.getTypeArguments(type as Parameters<Checker['getTypeArguments']>[0]);
    if (item === undefined) throw new Error('an array of nothing');
    const text = this.#printName(item, indent);
    const isReadonly = type.getSymbol()?.name === 'ReadonlyArray';
    const bare = !item.isUnionType() || this.#nameOf(item) !== undefined;
    return `${isReadonly ? 'readonly ' : ''}${bare ? text : `(${text})`}[]`;
  }

  #printObject(type: Type, indent: string): string {
    const symbol = type.getSymbol();
    if (symbol !== undefined && (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) !== 0) {
      const home = symbol.declarations[0]?.path ?? '';
      if (isOfPlatform(home)) return this.#checker.typeToString(type);
      if (home.includes('/node_modules/'))
        throw new Error(`${symbol.name} of ${home} is nothing that a package without it can name`);
    }
    if (this.#checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return this.#checker.typeToString(type);
    const below = `${indent}    `;
    const properties = this.#checker.getPropertiesOfType(type);
    const indexes = this.#checker.getIndexInfosOfType(type);
    const members = properties.map(member => this.#printMember(member, below));
    const rest = indexes.map(info => {
      const key = this.#checker.typeToString(info.keyType);
      return `${below}${info.isReadonly ? 'readonly ' : ''}[key: ${key}]: ${this.#printName(info.valueType, below)};\n`;
    });
    // What the schema of all others does not allow for a known member, one literal cannot say.
    const fits = properties.every(member => {
      const own = this.#checker.getTypeOfSymbol(member);
      return own === undefined || indexes.every(info => this.#checker.isTypeAssignableTo(own, info.valueType));
    });
    const border = fits ? '' : `${indent}} & {\n`;
    return members.length + rest.length === 0 ? '{}' : `{\n${members.join('')}${border}${rest.join('')}${indent}}`;
  }

  #printMember(member: TypeSymbol, indent: string): string {
    const type = this.#checker.getTypeOfSymbol(member);
    if (type === undefined) throw new Error(`${member.name} has no type`);
    const said = descriptionOf(member, this.#project);
    const doc = said === undefined ? '' : `${indent}/** ${said.replaceAll('*/', '*\\/')} */\n`;
    const sign = (member.flags & SymbolFlags.Optional) === 0 ? '' : '?';
    const name = /^\w+$/.test(member.name) ? member.name : JSON.stringify(member.name);
    return `${doc}${indent}${isReadonly(member, this.#project) ? 'readonly ' : ''}${name}${sign}: ${this.#printName(type, indent)};\n`;
  }
}

/** `CheckFlags.Readonly` of the compiler, which its API does not name: a member that a mapped type made readonly. */
const madeReadonly = 8;

function isReadonly(member: TypeSymbol, project: Project): boolean {
  if ((member.checkFlags & madeReadonly) !== 0) return true;
  return member.declarations.some(handle => {
    const node = handle.resolve(project);
    return node !== undefined && /^\s*readonly\b/.test(withoutComments(node.getText()));
  });
}

function isOfPlatform(path: string): boolean {
  return /\/lib\.[\w.]+\.d\.ts$|\/@types\/node\//.test(path);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '');
}

/** What is said of a member: its doc comment, else what its schema's `describe` says. */

import type { Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { type Project, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

export function descriptionOf(member: TypeSymbol, project: Project): string | undefined {
  const comment = project.checker.getDocumentationCommentOfSymbol(member).replace(/\s+/g, ' ').trim();
  if (comment !== '') return comment;
  const node = member.declarations[0]?.resolve(project);
  return node !== undefined && isPropertyAssignment(node) ? describedIn(node.initializer, project) : undefined;
}

/** The outermost `describe` of a chain of calls, or of what the chain begins with. */
function describedIn(expression: Node, project: Project): string | undefined {
  if (isCallExpression(expression) && isPropertyAccessExpression(expression.expression)) {
    const { name, expression: receiver } = expression.expression;
    const [words] = expression.arguments;
    const said = name.text === 'describe' && words !== undefined ? readText(words, project) : undefined;
    return said ?? describedIn(receiver, project);
  }
  const origin = initializerOf(expression, project);
  return origin === undefined ? undefined : describedIn(origin, project);
}

/** A text as it stands there, or behind the name of a constant; undefined for one that is put together. */
function readText(words: Node, project: Project): string | undefined {
  if (isStringLiteral(words) || isNoSubstitutionTemplateLiteral(words)) return words.text;
  const value = initializerOf(words, project);
  return value === undefined ? undefined : readText(value, project);
}

/** What a constant is made with. */
function initializerOf(name: Node, project: Project): Node | undefined {
  if (!isIdentifier(name)) return undefined;
  const { checker } = project;
  const named = checker.getSymbolAtLocation(name);
  const symbol =
    named !== undefined && (named.flags & SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(named) : named;
  const declaration = symbol?.valueDeclaration?.resolve(project);
  return declaration !== undefined && isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

/** A skill as requests name it: `owner/repo:name` or `owner/repo:path/SKILL.md`. */
export interface SkillSpec {
  /** As given. */
  readonly text: string;
  readonly owner: string;
  readonly repo: string;
  /** The skill's name, or the path of its file inside the repository. */
  readonly target: { readonly name: string } | { readonly path: string };
}

export class SkillSpecError extends Error {
  override readonly name = 'SkillSpecError';
}

const forms = 'owner/repo:skill-name or owner/repo:path/to/SKILL.md';
const ownerPattern = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
const repoPattern = /^[A-Za-z0-9._-]+$/;
const namePattern = /^[A-Za-z0-9._-]+$/;

/** Throws SkillSpecError, whose text shows both forms. */
export function parseSkillSpec(text: string): SkillSpec {
  const refuse = (why: string): never => {
    throw new SkillSpecError(`${JSON.stringify(text)} is not a valid skill: ${why}. Use ${forms}`);
  };
  const colon = text.indexOf(':');
  if (colon < 0) return refuse('the colon is missing');
  const [owner = '', repo = '', ...more] = text.slice(0, colon).split('/');
  const rest = text.slice(colon + 1);
  if (more.length > 0 || !ownerPattern.test(owner)) return refuse('the part before the colon must be owner/repo');
  if (!repoPattern.test(repo) || isDots(repo)) return refuse('the part before the colon must be owner/repo');
  if (rest === '') return refuse('nothing follows the colon');
  if (!rest.includes('/')) {
    if (rest === 'SKILL.md') return { text, owner, repo, target: { path: rest } };
    if (!namePattern.test(rest) || isDots(rest))
      return refuse('a name may contain only letters, digits, ".", "_" and "-"');
    return { text, owner, repo, target: { name: rest } };
  }
  const parts = rest.split('/');
  if (parts.at(-1) !== 'SKILL.md') return refuse('a path must end with SKILL.md');
  if (parts.some(part => part === '' || isDots(part) || part.includes('\\') || hasControl(part)))
    return refuse('a path must stay inside the repository');
  return { text, owner, repo, target: { path: rest } };
}

/** A create, or anything with the configuration of a run. */
interface NamesSkills {
  readonly skill?: string | undefined;
  readonly config?:
    | { readonly skill_spec?: string | undefined; readonly skills?: readonly string[] | undefined }
    | undefined;
}

/** The skill that is the task, from whichever of the three members has it. */
export function skillOf({ skill, config }: NamesSkills): string | undefined {
  return skill ?? config?.skill_spec ?? config?.skills?.[0];
}

/** The main skill first, then the ones that the agent may also read. */
export function skillsOf(body: NamesSkills): readonly string[] {
  const skill = skillOf(body);
  return skill === undefined ? [] : [...new Set([skill, ...(body.config?.skills ?? [])])];
}

/** The display name: the skill's own, or the folder of its SKILL.md (the repository for one at the root). */
export function skillName(spec: SkillSpec): string {
  if ('name' in spec.target) return spec.target.name;
  return spec.target.path.split('/').at(-2) ?? spec.repo;
}

function isDots(part: string): boolean {
  return part === '.' || part === '..';
}

function hasControl(part: string): boolean {
  return Array.from(part).some(character => (character.codePointAt(0) ?? 0) < 0x20);
}

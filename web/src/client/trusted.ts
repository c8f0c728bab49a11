interface TrustedPolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): TrustedPolicy;
}

let policy: TrustedPolicy | null = null;

/** The only addresses that are ever started as scripts. */
const known = new Set<string>();

/** The address of one of this program's own scripts, in the form that a page with Trusted Types accepts. */
export function trustedScript(url: string): string {
  known.add(url);
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (factory === undefined) return url;
  policy ??= factory.createPolicy("almanac", {
    createScriptURL: (wanted) => {
      if (!known.has(wanted)) throw new TypeError("not a script of this program");
      return wanted;
    },
  });
  return policy.createScriptURL(url) as string;
}

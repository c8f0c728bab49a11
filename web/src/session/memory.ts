import type { BackendChoice } from "../protocol";

/** Where an earlier visit's verdict on the GPU is kept. */
export interface BackendMemory {
  /** Why this browser settled on the CPU, if it did. */
  recall(): string | undefined;
  /** Keeps a choice that a later visit should not put to the test again. */
  keep(choice: BackendChoice): void;
}

/**
 * Remembers by browser and model, so that an update of either tries the GPU again.
 *
 * Storage that is full, blocked or absent is no failure: the GPU is tried again.
 */
export function backendMemory(storage: () => Storage, browser: string, model: string): BackendMemory {
  const key = `almanac.backend.${__ALMANAC_VERSION__}`;
  const owner = `${browser} ${model}`;
  return {
    recall() {
      try {
        const kept: unknown = JSON.parse(storage().getItem(key) ?? "null");
        if (typeof kept !== "object" || kept === null) return undefined;
        const { owner: keptOwner, reason } = kept as Record<string, unknown>;
        return keptOwner === owner && typeof reason === "string" ? reason : undefined;
      } catch {
        return undefined;
      }
    },
    keep(choice) {
      if (!choice.settled || choice.chosen !== "cpu") return;
      try {
        storage().setItem(key, JSON.stringify({ owner, reason: choice.reason }));
      } catch {
        // Nothing is lost but the memory.
      }
    },
  };
}

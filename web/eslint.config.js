import noUnsanitized from "eslint-plugin-no-unsanitized";
import tseslint from "typescript-eslint";

// Text from a collection, a manifest or a query is never parsed as HTML, so the
// sinks are forbidden outright rather than allowed with an escape function.
const htmlSinks = ["innerHTML", "outerHTML", "srcdoc", "insertAdjacentHTML", "setHTMLUnsafe"];

export default tseslint.config(
  { ignores: ["node_modules/", "pkg/", "bench/node_modules/", "test-results/"] },
  ...tseslint.configs.recommended,
  noUnsanitized.configs.recommended,
  {
    files: ["**/*.{ts,js,mjs}"],
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": [
        "error",
        ...htmlSinks.map((property) => ({ property, message: "Build nodes with textContent instead." })),
        { object: "document", property: "write", message: "Build nodes with textContent instead." },
        { object: "document", property: "writeln", message: "Build nodes with textContent instead." },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
    },
  },
);

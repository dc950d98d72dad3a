import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules"] },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json" } },
    rules: {
      // Numbers and booleans in a template are plain text here.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Enforces the contract's one door: only the bridge talks to the shell.
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["@tauri-apps/*"], message: "Only src/bridge talks to the shell." }] },
      ],
    },
  },
  { files: ["src/bridge/**"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["src/**/*.{ts,tsx}"],
    extends: [reactHooks.configs.flat["recommended-latest"]],
    // It tells what the React Compiler would skip; the compiler is not used.
    rules: { "react-hooks/incompatible-library": "off" },
  },
  { files: ["src/**/*.tsx"], extends: [jsxA11y.flatConfigs.strict] },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}", "**/states.ts", "**/testing.ts", "src/{words,testing,bridge}/**", "**/testing/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: `MemberExpression[property.name="toLocaleString"]`, message: "Use number and decimal of src/words/format." },
      ],
    },
  },
  {
    files: ["src/**/*.test.{ts,tsx}", "src/testing/**"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
  { files: ["*.js", "*.ts", "scripts/**"], languageOptions: { globals: globals.node } },
  {
    files: ["vite.config.ts"],
    languageOptions: { parser: tseslint.parser },
  },
  { files: ["public/**"], languageOptions: { globals: globals.browser } },
);

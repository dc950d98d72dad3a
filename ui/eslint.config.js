import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/** Attributes and fields that are text wherever they stand. */
const SPOKEN_NAMES = "/^(aria-label|aria-description|aria-roledescription|aria-valuetext|alt|label|placeholder|title)$/";
const SPOKEN_ATTRIBUTE = `JSXAttribute[name.name=${SPOKEN_NAMES}]`;
/** Elements with text of a language: no code and no keys. */
const PROSE = ":matches(JSXElement:not([openingElement.name.name=/^(code|kbd|pre)$/]), JSXFragment)";
const LETTERS = "/\\p{L}{2}/u";
/** A text in the code itself, also as one of several that are chosen from. */
const CHOICE = ":matches(ConditionalExpression, LogicalExpression)";
/** What is called the same in each language. */
const NAMES = "/^(Python|TypeScript|Rust|Bash|JSON|HTTP)$/";
const TEXT = `:matches(Literal[value=${LETTERS}]:not([value=${NAMES}]), TemplateLiteral:has(TemplateElement[value.raw=${LETTERS}]))`;
const WRITTEN = ["", `${CHOICE} > `, `${CHOICE} > ${CHOICE} > `, `${CHOICE} > ${CHOICE} > ${CHOICE} > `].map((path) => path + TEXT);
const TO_THE_WORDS = "Text that a person sees or hears stands in src/words, in each language.";

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
    // All that a person sees; the words themselves, the fake hall and the catalogue of states are none of it.
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}", "**/states.ts", "**/testing.ts", "src/{words,testing,bridge}/**", "**/testing/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          `${PROSE} > JSXText[value=${LETTERS}]`,
          `${SPOKEN_ATTRIBUTE} > Literal[value=${LETTERS}]`,
          ...WRITTEN.map((written) => `:matches(${PROSE}, ${SPOKEN_ATTRIBUTE}) > JSXExpressionContainer > ${written}`),
          `Property:matches([key.name=${SPOKEN_NAMES}], [key.value=${SPOKEN_NAMES}]) > ${TEXT}.value`,
        ].map((selector) => ({ selector, message: TO_THE_WORDS })),
        { selector: `MemberExpression[property.name="toLocaleString"]`, message: "Numbers are written by number and decimal of src/words/chosen, in the window's language." },
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

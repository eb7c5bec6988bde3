// The colours before the server has started: clauses are coloured, and lines of words stay Markdown.

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const test = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;

async function grammar() {
  const library = oniguruma.loadWASM(wasm).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }));
  const file = path.join(root, "syntaxes", "teufelswerk.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: library,
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  return registry.loadGrammar("text.html.markdown.teufelswerk");
}

const CASES = [
  ["## Leading", "Leading", "entity.name.section"],
  ["You may lead any {barred-count:devil|devils}.", "barred-count", "variable.other.figure"],
  ["You may lead any card, if you like.", "if", null],
  ["    place trick, seen by all", "place", "storage.type"],
  ["    place trick, seen by all", "trick", "entity.name.type"],
  ["    player leads:", "leads", "entity.name.function"],
  ["    round:", "round", "entity.name.function"],
  ["    hand-size = 8", "hand-size", "entity.name.type"],
  ["        choose card from hand", "choose", "keyword.control"],
  ["        \"Lead a {card}.\"", "Lead a ", "string.quoted"],
  ["        \"Lead a {card}.\"", "card", "variable.other.figure"],
  ["    Ida plays red-1", "Ida", "entity.name.tag.person"],
  ["    Ida plays red-1", "red-1", null],
  ["        score becomes score + 12", "12", "constant.numeric"],
];

test("words have their colours", async () => {
  const rules = await grammar();
  for (const [line, word, scope] of CASES) {
    const { tokens } = rules.tokenizeLine(line, textmate.INITIAL);
    const start = line.indexOf(word);
    const token = tokens.find((each) => each.startIndex <= start && start < each.endIndex);
    const found = token.scopes.slice(1).join(" ");
    if (scope === null) assert.ok(!/keyword|string|entity|constant/.test(found), `${line}: ${word} is ${found}`);
    else assert.ok(found.includes(scope), `${line}: ${word} is ${found}`);
  }
});

test("one line does not colour the next", async () => {
  const rules = await grammar();
  let stack = textmate.INITIAL;
  for (const line of ["    player leads:", "        choose card from hand", "", "A paragraph, if any, from me to you."]) {
    const { tokens, ruleStack } = rules.tokenizeLine(line, stack);
    stack = ruleStack;
    if (line.startsWith("A")) assert.deepStrictEqual(tokens.map((each) => each.scopes.length), [1]);
  }
});

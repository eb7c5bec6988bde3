// The extension as it is bundled, in a window that is only there for it: it starts a real server through
// vscode-languageclient, asks it what an editor asks, and opens a terminal where a game is to be played.
// PYTHON names a Python that has the program and its packages for editors.

const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");
const test = require("node:test");

const config = require("../package.json");
const { makeWindow } = require("./window.js");

const python = process.env.PYTHON;
const rules = fs.readFileSync(path.join(__dirname, "..", "..", "..", "rules", "tricks", "little-devils.rules.md"), "utf8");

function bundled(vscode) {
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    const file = require.resolve("../out/extension.js");
    delete require.cache[file];
    return require(file);
  } finally {
    Module._load = load;
  }
}

async function until(what) {
  for (const end = Date.now() + 60000; Date.now() < end; ) {
    const found = await what();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`in vain: ${what}`);
}

test("every command of the palette is one that the extension knows, and the server's lenses are too", () => {
  const source = fs.readFileSync(path.join(__dirname, "..", "src", "extension.js"), "utf8");
  for (const { command } of config.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
  assert.ok(source.includes('"teufelswerk.show"'));
});

test("a server that cannot be started is told of, and the extension lives on", async () => {
  const window = makeWindow(os.tmpdir(), { command: ["no-such-program"] }, "en");
  const extension = bundled(window.vscode);
  assert.deepStrictEqual(Object.keys(extension).sort(), ["activate", "deactivate"]);
  await extension.activate({ subscriptions: [] });
  assert.ok(window.seen.messages.some(([level, text]) => level === "error" && text.includes("no-such-program")));
  await extension.deactivate();
});

test("an editor asks, and the server answers", { skip: !python && "PYTHON is not set" }, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "teufelswerk-"));
  const window = makeWindow(folder, { command: [python, "-m", "teufelswerk_cli"], language: "" }, "de");
  const { vscode, seen, providers } = window;
  const extension = bundled(vscode);
  const context = { subscriptions: [] };
  await extension.activate(context);
  t.after(() => extension.deactivate());

  const line = rules.split("\n").findIndex((each) => each.includes("card goes to trick"));
  const start = rules.split("\n")[line].indexOf("trick");
  const document = window.open(path.join(folder, "mine.rules.md"), rules.replace("card goes to trick", "card goes to trikc"));
  const uri = document.uri.toString(), token = new vscode.CancellationTokenSource().token;
  const at = new vscode.Position(line, start + 2);

  const [mistake] = await until(() => (seen.diagnostics.get(uri) || []).filter((each) => each.severity === 0).length && seen.diagnostics.get(uri));
  assert.match(mistake.message, /der Name `trikc` ist hier unbekannt/);
  assert.strictEqual(mistake.range.start.line, line);
  assert.strictEqual(mistake.relatedInformation.length, 1);

  const fixes = await providers.CodeActions.provideCodeActions(document, mistake.range, { diagnostics: [mistake], triggerKind: 1 }, token);
  assert.match(fixes[0].title, /trick/);
  assert.strictEqual(fixes[0].edit.files.get(uri)[0].newText, "trick");

  window.type(document, line, start, start + 5, "trick");
  await until(() => !seen.diagnostics.get(uri).some((each) => each.severity === 0));
  const hover = await providers.Hover.provideHover(document, at, token);
  assert.match([].concat(hover.contents)[0].value, /place trick, seen by all/);

  window.type(document, line, start, start + 5, "tr");
  const offered = await providers.CompletionItem.provideCompletionItems(document, at, token, { triggerKind: 0 });
  assert.ok((offered.items || offered).some((each) => each.label === "trick"));
  window.type(document, line, start, start + 2, "trick");

  const renamed = await providers.Rename.provideRenameEdits(document, at, "board", token);
  assert.ok(renamed.files.get(uri).length > 5);
  const colours = await providers.DocumentSemanticTokens.provideDocumentSemanticTokens(document, token);
  assert.ok(colours.data.length > 1000);

  const lenses = await until(async () => {
    const all = await providers.CodeLens.provideCodeLenses(document, token);
    return all.some((each) => /gelten/.test(each.command.title)) && all;
  });
  assert.ok(lenses.some((each) => /in \d+ Beispiel/.test(each.command.title)));
  const here = lenses.find((each) => each.command.title === "ab hier spielen" && document.text.split("\n")[each.range.start.line].includes("scene"));
  await vscode.commands.executeCommand(here.command.command, ...here.command.arguments);
  const terminal = seen.terminals.at(-1);
  assert.strictEqual(terminal.shellPath, python);
  assert.deepStrictEqual(terminal.shellArgs, ["-m", "teufelswerk_cli", "play", document.uri.fsPath, "--from", String(here.range.start.line + 1)]);
  assert.strictEqual(fs.readFileSync(document.uri.fsPath, "utf8"), document.text);

  vscode.window.activeTextEditor.selection = { active: at };
  await vscode.commands.executeCommand("teufelswerk.playFromHere");
  assert.deepStrictEqual(seen.terminals.at(-1).shellArgs.slice(-2), ["--from", String(line + 1)]);

  const covering = lenses.find((each) => each.command.command === "teufelswerk.show");
  await vscode.commands.executeCommand(covering.command.command, ...covering.command.arguments);
  assert.ok(seen.ran.some(([name, , , places]) => name === "editor.action.showReferences" && places.length));

  await vscode.commands.executeCommand("teufelswerk.rulebook");
  assert.match(seen.panel.webview.html, /<html/);
});

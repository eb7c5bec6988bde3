// Starts the language server, and runs what needs a terminal or a window: a game, its rulebook, a report.

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  const words = vscode.workspace.getConfiguration("teufelswerk").get("command");
  return words && words.length ? words : ["teufelswerk"];
}

function language() {
  return vscode.workspace.getConfiguration("teufelswerk").get("language") || undefined;
}

function folder() {
  const folders = vscode.workspace.workspaceFolders;
  return folders && folders.length ? folders[0].uri.fsPath : undefined;
}

async function start() {
  const [program, ...words] = command();
  const server = { command: program, args: [...words, "lsp"], options: { cwd: folder() } };
  client = new LanguageClient("teufelswerk", "Teufelswerk", server, {
    documentSelector: [{ language: "teufelswerk" }],
    initializationOptions: { language: language(), terminal: true },
  });
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(`${[program, ...words, "lsp"].join(" ")}: ${problem.message || problem}`);
  }
}

async function stop() {
  if (client && client.isRunning()) await client.stop();
  client = undefined;
}

// The file that a command is about: the one that was named, else the one that is being written. It is saved before.
async function file(name) {
  const editor = vscode.window.activeTextEditor;
  const document = name
    ? await vscode.workspace.openTextDocument(name)
    : editor && editor.document.languageId === "teufelswerk" ? editor.document : undefined;
  if (!document) return undefined;
  if (document.isDirty) await document.save();
  return document.uri.fsPath;
}

function words(rest) {
  return [...command(), ...rest, ...(language() ? ["--lang", language()] : [])];
}

// In a terminal of its own, without a shell that could take a name for something else.
function inTerminal(title, rest) {
  const [shellPath, ...shellArgs] = words(rest);
  vscode.window.createTerminal({ name: title, shellPath, shellArgs, cwd: folder() }).show();
}

function run(rest) {
  const { execFile } = require("child_process");
  const [program, ...given] = words(rest);
  return new Promise((done, failed) =>
    execFile(program, given, { cwd: folder(), maxBuffer: 64 * 1024 * 1024 }, (problem, out, err) =>
      problem ? failed(new Error(err || String(problem))) : done(out),
    ),
  );
}

async function play(name, line) {
  const rules = await file(name);
  if (rules) inTerminal(path.basename(rules, ".rules.md"), ["play", rules, ...(line ? ["--from", String(line)] : [])]);
}

// From the line in which the cursor stands.
async function playFromHere() {
  const editor = vscode.window.activeTextEditor;
  if (editor) await play(undefined, editor.selection.active.line + 1);
}

async function rulebook(name) {
  const rules = await file(name);
  if (!rules) return;
  const page = path.join(require("os").tmpdir(), `teufelswerk-${process.pid}-${path.basename(rules)}.html`);
  try {
    await run(["rulebook", rules, "-o", page]);
  } catch (problem) {
    vscode.window.showErrorMessage(problem.message);
    return;
  }
  const html = require("fs").readFileSync(page, "utf8");
  const panel = vscode.window.createWebviewPanel("teufelswerk.rulebook", path.basename(rules), vscode.ViewColumn.Beside, {});
  panel.webview.html = html; // scripts are off: a rulebook is only read
}

async function report(name) {
  const rules = await file(name);
  if (rules) inTerminal(`report: ${path.basename(rules)}`, ["report", rules]);
}

async function show(uri, line, places) {
  const where = (place) => new vscode.Location(vscode.Uri.parse(place.uri), new vscode.Position(place.line, place.character));
  const here = [vscode.Uri.parse(uri), new vscode.Position(line, 0), places.map(where)];
  await vscode.commands.executeCommand("editor.action.showReferences", ...here);
}

exports.activate = async (context) => {
  const known = {
    "teufelswerk.play": play,
    "teufelswerk.playFromHere": playFromHere,
    "teufelswerk.rulebook": rulebook,
    "teufelswerk.report": report,
    "teufelswerk.show": show,
    "teufelswerk.restart": async () => { await stop(); await start(); },
  };
  for (const [name, work] of Object.entries(known)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  }
  await start();
};

exports.deactivate = stop;

// The extension as it is bundled, with a window that is only there for it: it starts a real server, and stops it again.

const assert = require("assert");
const Module = require("module");
const path = require("path");
const test = require("node:test");

const config = require("../package.json");

test("every command of the palette is one that the extension knows, and the server's lenses are too", () => {
  const source = require("fs").readFileSync(path.join(__dirname, "..", "src", "extension.js"), "utf8");
  for (const { command } of config.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
  assert.ok(source.includes('"teufelswerk.show"'));
});

test("the bundle holds all that it needs but the editor itself", () => {
  const asked = [];
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") {
      asked.push(name);
      return new Proxy(function () {}, { get: (_, key) => (key === "prototype" ? {} : class {}), construct: () => ({}) });
    }
    return load(name, ...rest);
  };
  try {
    const extension = require("../out/extension.js");
    assert.deepStrictEqual(Object.keys(extension).sort(), ["activate", "deactivate"]);
    assert.ok(asked.length);
  } finally {
    Module._load = load;
  }
});

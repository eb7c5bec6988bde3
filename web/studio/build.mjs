// editor.js and the packages that package-lock.json names → one file for the page, the same on every machine.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const target = resolve(import.meta.dirname, process.argv[2] ?? "../teufelswerk_web/assets/codemirror.js");
const made = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["editor.js"],
  outfile: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  write: false,
  legalComments: "none",
  banner: { js: "// Made by web/studio/build.mjs out of CodeMirror (MIT, Marijn Haverbeke and others); do not edit." },
});
const [program] = made.outputFiles;
writeFileSync(target, program.text + notices(Object.keys(made.metafile.inputs)));

/** The licences of all packages that went in, each with those that it covers: they ask to be handed on. */
function notices(inputs) {
  const packages = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  const covered = new Map();
  for (const name of [...new Set(packages)].sort()) {
    const folder = resolve(import.meta.dirname, "node_modules", name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = readFileSync(resolve(folder, file), "utf8").trim();
    covered.set(text, [...(covered.get(text) ?? []), name]);
  }
  const all = [...covered].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  return `/*\n${all.join("\n\n----\n\n")}\n*/\n`;
}

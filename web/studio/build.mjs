// editor.js and the packages that package-lock.json names → one file for the page, the same on every machine.
import { build } from "esbuild";

const target = process.argv[2] ?? "../teufelswerk_web/assets/codemirror.js";
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["editor.js"],
  outfile: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  banner: { js: "// Made by web/studio/build.mjs out of CodeMirror (MIT, Marijn Haverbeke and others); do not edit." },
});

// What the studio needs of CodeMirror and its language client; everything else is left out of the bundle.
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { indentUnit } from "@codemirror/language";
export { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export {
  LSPClient, LSPPlugin, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap,
  serverCompletion, signatureHelp,
} from "@codemirror/lsp-client";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter, keymap,
  lineNumbers,
} from "@codemirror/view";

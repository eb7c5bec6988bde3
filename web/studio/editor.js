// What the studio needs of CodeMirror and its language client; everything else is left out of the bundle.
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { bracketMatching, foldGutter, foldKeymap, foldService, indentOnInput, indentUnit } from "@codemirror/language";
export { forceLinting, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export {
  LSPClient, LSPPlugin, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap,
  serverCompletion, signatureHelp,
} from "@codemirror/lsp-client";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, Transaction } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, drawSelection, dropCursor, gutter, highlightActiveLine,
  highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";

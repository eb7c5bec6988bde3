-- What somebody does in Neovim, through its own client: reads a mistake, mends it, looks around, gives a thing another name.

local out = {}
local function say(...) table.insert(out, table.concat({ ... }, " ")) end

vim.cmd("edit game.rules.md")
local client = vim.lsp.start_client({
  name = "teufelswerk",
  cmd = { vim.env.PYTHON, "-m", "teufelswerk_cli", "lsp", "--lang", "de" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
local function found() return vim.diagnostic.get(0) end
local function ask(method, more)
  local params = vim.tbl_extend("force", { textDocument = { uri = vim.uri_from_bufnr(0) } }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 30000)
  return answers[client].result
end

vim.wait(30000, function() return #found() > 0 end, 50)
say(found()[1].message)
local row = found()[1].lnum
local place = { line = row, character = 22 }
local here = { start = { line = row, character = 0 }, ["end"] = { line = row, character = 0 } }
local actions = ask("textDocument/codeAction", { range = here, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
vim.wait(30000, function() return #found() == 0 end, 50)
say("mended:", vim.trim(vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]))
say("hover:", (ask("textDocument/hover", { position = place }).contents.value:gsub("\n", " ")))
say("declared in line", ask("textDocument/definition", { position = place })[1].range.start.line + 1)
say("offered:", ask("textDocument/completion", { position = { line = row, character = 23 } }).items[1].label)
local edit = ask("textDocument/rename", { position = place, newName = "board" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
say("renamed:", vim.trim(vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]))
say("outline:", ask("textDocument/documentSymbol")[1].name)
vim.fn.writefile(out, "said.txt")
vim.cmd("qa!")

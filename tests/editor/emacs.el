;; What somebody does in Emacs, through Eglot: reads a mistake, mends it, looks around, gives a thing another name.

(setq load-prefer-newer t)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(require 'eglot)
(require 'flymake)
(require 'imenu)

(define-derived-mode teufelswerk-mode text-mode "Teufelswerk")
(add-to-list 'auto-mode-alist '("\\.rules\\.md\\'" . teufelswerk-mode))
(add-to-list 'eglot-server-programs
             (list 'teufelswerk-mode (getenv "PYTHON") "-m" "teufelswerk_cli" "lsp" "--lang" "de"))

(defvar said nil)
(defun say (&rest words) (push (apply #'format words) said))
(defun until (what)
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall what))) (< (float-time) end)) (accept-process-output nil 0.1))
    found))
(defun line () (string-trim (thing-at-point 'line t)))

(setq eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 60
      eglot-connect-timeout 60)
(find-file "game.rules.md")
(apply #'eglot--connect (eglot--guess-contact))
(until (lambda () (eglot-managed-p)))
(flymake-mode 1)
(until (lambda () (flymake-start) (flymake-diagnostics)))
(let ((mistake (car (flymake-diagnostics))))
  (say "found: %s" (flymake-diagnostic-text mistake))
  (goto-char (flymake-diagnostic-beg mistake)))

(let* ((server (eglot--current-server-or-lose))
       (actions (jsonrpc-request server :textDocument/codeAction
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range (list :start (eglot--pos-to-lsp-position)
                                                    :end (eglot--pos-to-lsp-position))
                                       :context '(:diagnostics [])))))
  (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit))
  (say "mended: %s" (line))
  (eglot--signal-textDocument/didChange) ; as Eglot does when Emacs is idle
  (back-to-indentation)
  (search-forward "goes to ")
  (say "hover: %s" (plist-get (plist-get (jsonrpc-request server :textDocument/hover
                                                          (eglot--TextDocumentPositionParams)) :contents) :value))
  (save-excursion
    (let ((found (car (eglot--lsp-xrefs-for-method :textDocument/definition))))
      (say "declared in line %s" (xref-location-line (xref-item-location found)))))
  (eglot-rename "board")
  (say "renamed: %s" (line))
  (say "outline: %s" (string-match-p "Places" (format "%S" (eglot-imenu)))))

(with-temp-file "said.txt" (insert (string-join (nreverse said) "\n")))
(kill-emacs 0)

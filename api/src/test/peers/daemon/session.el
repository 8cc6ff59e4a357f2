;;; A session of Emacs's own JSON-RPC client with a daemon; says line by line what came of it.
;;; emacs --batch -l session.el -- COMMAND...  -*- lexical-binding: t -*-

(require 'jsonrpc)

(defvar session-command (cdr (member "--" command-line-args)))
(setq command-line-args-left nil)

(defvar session-seconds 60)

(defvar session-connection
  (make-instance
   'jsonrpc-process-connection
   :name "gatebook"
   :events-buffer-scrollback-size 0
   :process (lambda ()
              (make-process :name "gatebook"
                            :command session-command
                            :connection-type 'pipe
                            :coding 'utf-8-emacs-unix
                            :noquery t
                            :stderr (get-buffer-create "*gatebook stderr*")))))

(defun session-say (name value)
  (princ (format "%s: %s\n" name value)))

(defun session-request (method params)
  (jsonrpc-request session-connection method params :timeout session-seconds))

(defun session-echo (text)
  "What comes back when TEXT is sent."
  (let ((result (session-request :tools/call (list :name "echo" :arguments (list :text text)))))
    (plist-get (plist-get result :structuredContent) :text)))

(session-say "success" (plist-get (plist-get (session-request :initialize nil) :serverInfo) :name))

(session-say "error"
             (condition-case failure
                 (session-request :tools/call (list :name "delete_all" :arguments (list :all t)))
               (jsonrpc-error (alist-get 'jsonrpc-error-code (cdr failure)))))

(jsonrpc-notify session-connection :setLogLevel (list :level "error"))

(let ((text "né 😀 \"quoted\" \n line"))
  (session-say "non-ASCII" (equal text (session-echo text))))

(let ((text (make-string 300000 ?é)))
  (session-say "large" (equal text (session-echo text))))

;; an answer with an id of null belongs to no request here; the session goes on
(process-send-string (jsonrpc--process session-connection) "Content-Length: 1\r\n\r\n{")
(session-say "after what was no message" (stringp (plist-get (session-request :version nil) :version)))

(let (answers)
  (dotimes (i 20)
    (jsonrpc-async-request session-connection :tools/call
                           (list :name "echo" :arguments (list :number i))
                           :success-fn (lambda (result)
                                         (push (plist-get (plist-get result :structuredContent) :number)
                                               answers))
                           :timeout session-seconds))
  (with-timeout (session-seconds)
    (while (< (length answers) 20)
      (accept-process-output nil 0.05)))
  (session-say "pipelined" (equal (reverse answers) (number-sequence 0 19))))

(session-say "shutdown" (plist-get (session-request :shutdown nil) :message))
(with-timeout (session-seconds)
  (while (jsonrpc-running-p session-connection)
    (accept-process-output nil 0.05)))
(session-say "exit" (process-exit-status (jsonrpc--process session-connection)))

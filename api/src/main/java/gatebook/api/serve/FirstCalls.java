package gatebook.api.serve;

/** What a node says at its start: where it is, and calls to paste that show what it does. */
final class FirstCalls {

  private FirstCalls() {}

  static String text(String callers, String admin) {
    return """
    callers %s
    admin   %s

    a call that is answered:
    %s
    a call that gate 1 denies, since the demo source does not show this tool:
    %s
    """
        .formatted(callers, admin, curl(callers, "echo"), curl(callers, "process"));
  }

  private static String curl(String callers, String tool) {
    return """
    curl -s %s/mcp -H 'Content-Type: application/json' \\
      -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{}}}'
    """
        .formatted(callers, tool);
  }
}

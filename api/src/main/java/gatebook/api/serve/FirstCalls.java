package gatebook.api.serve;

/** What a node says at its start: where it is, and, with the sample rules, calls to paste. */
final class FirstCalls {

  private FirstCalls() {}

  static String addresses(String callers, String admin) {
    return """
    callers %s
    admin   %s
    """
        .formatted(callers, admin);
  }

  /** One call for each gate, as the sample rules decide it. */
  static String text(String callers, String admin) {
    return """

    no rules file: the sample rules are in force. Calls to paste:

    answered:
    %s
    denied by gate 1 (visibility): the demo source does not show this tool:
    %s
    denied by gate 2 (governance): the rule delete_* says deny:
    %s
    denied by gate 3 (policy): Cedar permits amounts up to 100, about which a person is asked:
    %s
    held by gate 4 (approval) until somebody decides:
    %s
    in another terminal, as an operator:
    ./gatebook approvals --url %s
    ./gatebook approve ID --url %s

    """
        .formatted(
            curl(callers, "echo", "{\"hello\":\"world\"}"),
            curl(callers, "process", "{}"),
            curl(callers, "delete_all", "{}"),
            curl(callers, "transfer", "{\"to\":\"alice\",\"amount\":500}"),
            curl(callers, "deploy", "{\"version\":\"1.2\"}"),
            admin,
            admin);
  }

  private static String curl(String callers, String tool, String arguments) {
    return """
    curl -s %s/mcp -H 'Content-Type: application/json' \\
      -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}'
    """
        .formatted(callers, tool, arguments);
  }
}

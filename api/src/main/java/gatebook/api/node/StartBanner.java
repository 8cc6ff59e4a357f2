package gatebook.api.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The banner that a node prints at its start: its addresses and, with the sample rules, calls to
 * paste.
 */
final class StartBanner {

  private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9._/@:+-]+");

  private StartBanner() {}

  static String addresses(String callers, String admin) {
    return """
    callers %s
    admin   %s
    """
        .formatted(callers, admin);
  }

  /** The addresses for a terminal, with the first steps. */
  static String greeting(String callers, String admin, Path data, Optional<Path> rules) {
    return """

    gatebook is ready

      callers  %s  (MCP at /mcp, JSON-RPC at /rpc)
      admin    %s  (probes, and operators: ./gatebook --help)
      console  %s/  (./gatebook console signs you in)
      data     %s
      rules    %s
      stop     Ctrl-C
    """
        .formatted(
            callers,
            admin,
            admin,
            data.toAbsolutePath(),
            rules.map(file -> file.toAbsolutePath().toString()).orElse("the sample rules"));
  }

  /** The warning that keys are missing; empty when none are. */
  static String missingKeys(List<String> missing) {
    return missing.isEmpty()
        ? ""
        : """

        %d content keys of recent events are missing, and were not erased (the first is %s):
        what they seal cannot be read. Put the directory of keys back from its copy
        """
            .formatted(missing.size(), missing.getFirst());
  }

  /** One call for each gate, as the sample rules decide it. */
  static String text(String callers, Path data) {
    return """

    no rules file: the sample rules are in force. Calls to paste:

    answered:
    %s
    denied by gate 1 (visibility): the demo source does not show this tool:
    %s
    denied by gate 2 (governance): the rule delete_* says deny:
    %s
    denied by gate 3 (policy): Cedar permits amounts up to 100 only, with an approval:
    %s
    held by gate 4 (approval) until an operator decides:
    %s
    in another terminal, as an operator:
    ./gatebook console --data %s
    ./gatebook approvals --data %s
    ./gatebook approve ID --data %s

    """
        .formatted(
            curl(callers, "echo", "{\"hello\":\"world\"}"),
            curl(callers, "process", "{}"),
            curl(callers, "delete_all", "{}"),
            curl(callers, "transfer", "{\"to\":\"alice\",\"amount\":500}"),
            curl(callers, "deploy", "{\"version\":\"1.2\"}"),
            quoted(data),
            quoted(data),
            quoted(data));
  }

  /** Quotes a path for a shell. */
  private static String quoted(Path data) {
    String path = data.toAbsolutePath().toString();
    return NEEDS_NO_QUOTES.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  private static String curl(String callers, String tool, String arguments) {
    return """
    curl -s %s/mcp -H 'Content-Type: application/json' \\
      -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}'
    """
        .formatted(callers, tool, arguments);
  }
}

package gatebook.api.dialect;

import gatebook.command.call.DialectVersion;
import gatebook.events.call.Dialect;
import org.jspecify.annotations.Nullable;

/** Every vocabulary, by a dialect version that selects it. */
enum VocabularyCase {
  MCP(Dialect.MCP, null, "POST /mcp, lines on stdin"),
  MCP_2026_07_28(
      Dialect.MCP,
      "2026-07-28",
      "POST /mcp, lines on stdin: from this revision on, without sessions"),
  DAEMON(Dialect.DAEMON, null, "POST /rpc, frames on stdin"),
  FLOW(Dialect.FLOW, null, "POST /flow"),
  A2A(Dialect.A2A, null, "POST /a2a and /a2a/{agent} without A2A-Version"),
  A2A_1_0(
      Dialect.A2A,
      "1.0",
      "POST /a2a/v1 and /a2a/{agent}/v1; POST /a2a and /a2a/{agent} with A2A-Version 1.0"),
  A2A_0_3(
      Dialect.A2A,
      "0.3",
      "POST /a2a/v0.3 and /a2a/{agent}/v0.3; POST /a2a and /a2a/{agent} with A2A-Version 0.3");

  private final Dialect dialect;
  private final @Nullable String version;
  private final String where;

  VocabularyCase(Dialect dialect, @Nullable String version, String where) {
    this.dialect = dialect;
    this.version = version;
    this.where = where;
  }

  DialectVersion dialectVersion() {
    return new DialectVersion(dialect, version);
  }

  String where() {
    return where;
  }

  /** {@code a2a 1.0}. */
  String title() {
    return version == null ? dialect.word() : dialect.word() + " " + version;
  }
}

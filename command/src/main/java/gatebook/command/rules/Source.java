package gatebook.command.rules;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who answers calls.
 *
 * @param url where; absent for one that is built in or is a program
 * @param program what is started to be asked; absent for one that is elsewhere or built in
 * @param prefix what its names begin with for callers, and not for itself; empty for none
 * @param headers sent with every request; their values are secrets
 */
public record Source(
    String id,
    Kind kind,
    @Nullable URI url,
    @Nullable SourceProgram program,
    String prefix,
    boolean enabled,
    ExposeRules expose,
    Map<String, String> headers,
    ForeignErrors errors,
    long connectMillis,
    long answerMillis) {
  public Source {
    headers = Map.copyOf(headers);
  }

  /** One that is no program. */
  public Source(
      String id,
      Kind kind,
      @Nullable URI url,
      String prefix,
      boolean enabled,
      ExposeRules expose,
      Map<String, String> headers,
      ForeignErrors errors,
      long connectMillis,
      long answerMillis) {
    this(
        id, kind, url, null, prefix, enabled, expose, headers, errors, connectMillis, answerMillis);
  }

  /** What a source speaks. */
  public enum Kind {
    /** MCP over HTTP, or on the streams of a program. */
    MCP,
    /** Any JSON-RPC 2.0 over HTTP. */
    JSONRPC,
    /** MCP, built in. */
    DEMO
  }

  /** What becomes of a JSON-RPC error it answers with. */
  public enum ForeignErrors {
    /** It keeps its code and the structure of its data. */
    PASS,
    /** It becomes an error of ours. */
    WRAP
  }

  /** The name by which the source itself knows what callers call so. */
  public String ownName(String name) {
    return name.substring(prefix.length());
  }
}

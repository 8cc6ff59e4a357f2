package gatebook.command.rules;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source of tools, resources and methods, as the rules configure it.
 *
 * @param url null for a source that is built in or a program
 * @param program the program to start; null for a source with a URL or built in
 * @param prefix what callers see before its names, and the source does not; may be empty
 * @param idempotent the tools that may be called twice with the effect of one call, by its own
 *     names
 * @param headers sent with every request; their values are secrets
 * @param tls for an {@code https} URL
 * @param answerMillis how long one attempt may take
 * @param messageMillis the same for a message, if the source is an agent
 */
public record Source(
    String id,
    Kind kind,
    @Nullable URI url,
    @Nullable SourceProgram program,
    String prefix,
    boolean enabled,
    ExposeRules expose,
    List<Glob> idempotent,
    Map<String, String> headers,
    ClientTlsFiles tls,
    ForeignErrors errors,
    long connectMillis,
    long answerMillis,
    long messageMillis) {
  public Source {
    idempotent = List.copyOf(idempotent);
    headers = Map.copyOf(headers);
  }

  /** A source that is no program and declares no tool idempotent. */
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
        id,
        kind,
        url,
        null,
        prefix,
        enabled,
        expose,
        List.of(),
        headers,
        errors,
        connectMillis,
        answerMillis);
  }

  /** A source to which messages are like any other request, with the TLS of the JDK. */
  public Source(
      String id,
      Kind kind,
      @Nullable URI url,
      @Nullable SourceProgram program,
      String prefix,
      boolean enabled,
      ExposeRules expose,
      List<Glob> idempotent,
      Map<String, String> headers,
      ForeignErrors errors,
      long connectMillis,
      long answerMillis) {
    this(
        id,
        kind,
        url,
        program,
        prefix,
        enabled,
        expose,
        idempotent,
        headers,
        ClientTlsFiles.NONE,
        errors,
        connectMillis,
        answerMillis,
        answerMillis);
  }

  /** The protocol that a source speaks. */
  public enum Kind {
    /** MCP over HTTP, or on the streams of a program. */
    MCP,
    /** Any JSON-RPC 2.0 over HTTP. */
    JSONRPC,
    /** A2A over HTTP. */
    A2A,
    /** MCP, built in. */
    DEMO
  }

  /** How a JSON-RPC error of a source is returned to callers. */
  public enum ForeignErrors {
    /** With its own code and the structure of its data. */
    PASS,
    /** As an error of the gateway. */
    WRAP
  }

  /** The same source as a program, whose names callers use without a prefix. */
  public Source servedBy(SourceProgram ownProgram) {
    return new Source(
        id,
        kind,
        null,
        ownProgram,
        "",
        enabled,
        expose,
        idempotent,
        Map.of(),
        ClientTlsFiles.NONE,
        errors,
        connectMillis,
        answerMillis,
        messageMillis);
  }

  /** Whether a tool may be called twice with the effect of one call. */
  public boolean isIdempotent(String name) {
    return idempotent.stream().anyMatch(glob -> glob.matches(ownName(name)));
  }

  /** The source's own name for a name that callers use: without the prefix. */
  public String ownName(String name) {
    return name.substring(prefix.length());
  }
}

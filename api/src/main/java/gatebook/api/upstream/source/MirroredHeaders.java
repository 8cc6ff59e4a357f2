package gatebook.api.upstream.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.mcp.CallTargets;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Base64;
import java.util.function.UnaryOperator;

/**
 * The headers that mirror the method and the name in the body of a request. Servers of the
 * stateless revisions refuse a request whose headers do not match its body.
 */
final class MirroredHeaders {

  private MirroredHeaders() {}

  /** Sets them; {@code ownName} turns a name that callers use into the source's own. */
  static void set(HttpHeaders headers, Call call, UnaryOperator<String> ownName) {
    headers.set("Mcp-Method", encoded(call.method()));
    CallTargets.headerName(call)
        .ifPresent(name -> headers.set("Mcp-Name", encoded(ownName.apply(name))));
  }

  private static String encoded(String text) {
    boolean plain =
        US_ASCII.newEncoder().canEncode(text)
            && text.chars().noneMatch(c -> c < ' ' || c == 0x7f)
            && text.equals(text.strip())
            && !text.startsWith("=?");
    return plain
        ? text
        : "=?base64?%s?=".formatted(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
  }
}

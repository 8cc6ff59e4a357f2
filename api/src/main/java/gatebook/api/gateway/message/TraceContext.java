package gatebook.api.gateway.message;

import gatebook.api.rpc.ObjectMembers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a call is part of, by W3C's Trace Context.
 *
 * <p>It is forwarded as it came. A participant in a trace replaces the caller's span id by its own
 * and exports that span; this gateway exports none, so the source's spans would have a parent that
 * no trace has.
 *
 * @param parent the whole {@code traceparent}
 * @param state the whole {@code tracestate}; absent when there is none, or none that is valid
 */
public record TraceContext(String id, String parent, @Nullable String state) {

  public static final String PARENT = "traceparent";
  public static final String STATE = "tracestate";

  private static final Pattern PARENTS =
      Pattern.compile(
          // version 00 ends after its flags; later versions may have more
          "(?!ff|00.{54})[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
              + "(?:-[ -~]{0,200})?");

  private static final int STATE_CHARS_MAX = 2_048; // at least 512 must be forwarded
  private static final int STATE_MEMBERS_MAX = 32;
  private static final Pattern STATE_MEMBER =
      Pattern.compile("[a-z0-9][a-z0-9_*/@-]{0,255}=[ -~&&[^,=]]{0,255}[!-~&&[^,=]]");

  /** From the header, else from the message itself, where a protocol has no headers. */
  static Optional<TraceContext> of(IncomingMessage incomingMessage, ObjectMembers objectMembers) {
    Optional<TraceContext> ofHeaders =
        of(incomingMessage.traceparent(), incomingMessage.headers().get(STATE));
    return ofHeaders.isPresent() ? ofHeaders : of(objectMembers.members("_meta"));
  }

  private static Optional<TraceContext> of(ObjectMembers meta) {
    return of(meta.text(PARENT).orElse(null), meta.text(STATE).orElse(null));
  }

  private static Optional<TraceContext> of(@Nullable String parent, @Nullable String state) {
    if (parent == null) {
      return Optional.empty();
    }
    Matcher matcher = PARENTS.matcher(parent);
    return matcher.matches()
        ? Optional.of(new TraceContext(matcher.group(1), parent, valid(state)))
        : Optional.empty();
  }

  /** An invalid state is dropped as a whole, because parts of it mean nothing. */
  private static @Nullable String valid(@Nullable String state) {
    if (state == null || state.length() > STATE_CHARS_MAX) {
      return null;
    }
    List<String> members =
        Stream.of(state.split(",", -1)).map(String::strip).filter(it -> !it.isEmpty()).toList();
    return !members.isEmpty()
            && members.size() <= STATE_MEMBERS_MAX
            && members.stream().allMatch(it -> STATE_MEMBER.matcher(it).matches())
        ? state
        : null;
  }

  /** The caller's headers, with the trace headers only if they are valid. */
  public static Map<String, String> forwardedHeaders(
      IncomingMessage incomingMessage, ObjectMembers objectMembers) {
    Optional<TraceContext> traceContext = of(incomingMessage, objectMembers);
    Map<String, String> sent = incomingMessage.headers();
    if (traceContext.isEmpty() && !sent.containsKey(PARENT) && !sent.containsKey(STATE)) {
      return sent;
    }
    Map<String, String> headers = new HashMap<>(sent);
    headers.keySet().removeAll(List.of(PARENT, STATE));
    traceContext.ifPresent(it -> it.addTo(headers));
    return headers;
  }

  private void addTo(Map<String, String> headers) {
    headers.put(PARENT, parent);
    if (state != null) {
      headers.put(STATE, state);
    }
  }
}

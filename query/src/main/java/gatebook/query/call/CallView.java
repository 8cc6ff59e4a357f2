package gatebook.query.call;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.CallEvent;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The view of one call, computed from its events. What no event reported is absent.
 *
 * @param gate the gate that denied the call
 * @param code the code of the error response, in the call's dialect
 * @param fault the kind of fault that ended the call
 * @param receivedAt RFC 3339, UTC
 * @param durationMillis from the receipt of the call to its response; absent before that
 */
public record CallView(
    UUID callId,
    @Nullable String correlationId,
    @Nullable Dialect dialect,
    @Nullable String method,
    @Nullable String target,
    @Nullable String principal,
    CallStatus status,
    @Nullable Gate gate,
    @Nullable Integer code,
    @Nullable String fault,
    @Nullable String receivedAt,
    @Nullable Long durationMillis,
    List<Step> events) {

  public CallView {
    events = List.copyOf(events);
  }

  public CallView withoutEvents() {
    return new CallView(
        callId,
        correlationId,
        dialect,
        method,
        target,
        principal,
        status,
        gate,
        code,
        fault,
        receivedAt,
        durationMillis,
        List.of());
  }

  /**
   * One event of the call.
   *
   * @param at RFC 3339, UTC
   * @param data the event as people may see it: without originals
   * @param content why content is missing in the data; absent when none is
   * @param event absent when this version cannot read it; no part of the JSON
   * @param spent the parts of the time since the previous event, or since the call was received
   */
  public record Step(
      long position,
      String name,
      String version,
      String at,
      String node,
      JsonNode data,
      @JsonInclude(Include.NON_NULL) @Nullable String content,
      @JsonIgnore @Nullable CallEvent event,
      List<TimeShare> spent) {
    public Step {
      spent = List.copyOf(spent);
    }
  }
}

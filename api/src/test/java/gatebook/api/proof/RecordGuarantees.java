package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.keep.ContentDigests;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.keys.OldKeys;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Checks the guarantees about recording every call against the stored events. */
final class RecordGuarantees {
  private static final List<Class<? extends CallEvent>> INTENT =
      List.of(CallReceived.class, CallAdmitted.class, CallForwarded.class);
  private static final List<Class<? extends CallEvent>> INTENT_OF_HELD =
      List.of(
          CallReceived.class,
          ApprovalRequested.class,
          ApprovalGranted.class,
          CallAdmitted.class,
          CallForwarded.class);

  private final StoredEvents stored;
  private final ContentDigests contentDigests;

  RecordGuarantees(StoredEvents stored) {
    this.stored = stored;
    this.contentDigests = new ContentDigests(stored.contentKeys(), OldKeys.NONE);
  }

  /** Checks that no call is forwarded before that is stored, and none twice. */
  void checkArrivals(Map<String, Integer> arrivals) {
    arrivals.forEach((marker, times) -> {
      assertThat(times).as("arrivals of %s", marker).isOne();
      List<CallEvent> call = stored.of(marker);
      boolean held = StoredEvents.first(call, ApprovalRequested.class).isPresent();
      assertThat(call.stream().map(Object::getClass).filter(INTENT_OF_HELD::contains).distinct())
          .as("what was stored of %s, which arrived upstream: %s", marker, call)
          .isEqualTo(held ? INTENT_OF_HELD : INTENT);
    });
  }

  /** Checks that no response is sent before it is stored with the same content. */
  void checkResponses(Collection<CallerResponse> tellings) {
    tellings.forEach(this::checkResponses);
  }

  private void checkResponses(CallerResponse response) {
    List<CallEvent> call = stored.of(response.call().marker());
    assertThat(call).as("what is stored of %s", response).isNotEmpty();
    if (response.isAcknowledgement()) {
      assertThat(StoredEvents.isForwarded(call) || !StoredEvents.endings(call).isEmpty())
          .as("%s was acknowledged and decided: %s", response, call)
          .isTrue();
      return;
    }
    JsonNode answer = response.json();
    assertThat(answer.get("id")).hasToString(response.call().id());
    if (answer.has("error")) {
      checkError(response, answer.get("error"), call);
    } else {
      checkResult(response, call);
    }
  }

  private static void checkError(CallerResponse response, JsonNode error, List<CallEvent> call) {
    ErrorTranslated translated = onlyEnd(call, ErrorTranslated.class, response);
    ErrorResponse errorResponse = translated.told();
    assertThat(
            new ErrorResponse(
                errorResponse.dialect(),
                error.get("code").intValue(),
                error.get("message").textValue(),
                error.has("data") ? JsonValue.parse(error.get("data").toString()) : null,
                response.status() == 200 ? null : Integer.valueOf(response.status())))
        .as("the stored response equals %s", response)
        .isEqualTo(
            errorResponse.httpStatus() != null && errorResponse.httpStatus() == 200
                ? withoutStatus(errorResponse)
                : errorResponse);
    boolean denial = response.call().kind() == TestCall.Kind.DENIED;
    assertThat(StoredEvents.first(call, GateDenied.class).isPresent() || !denial)
        .as("the denial of %s", response)
        .isTrue();
  }

  private static ErrorResponse withoutStatus(ErrorResponse errorResponse) {
    return new ErrorResponse(
        errorResponse.dialect(),
        errorResponse.code(),
        errorResponse.message(),
        errorResponse.data(),
        null);
  }

  private void checkResult(CallerResponse response, List<CallEvent> call) {
    KeptContent keptContent = onlyEnd(call, CallAnswered.class, response).result();
    String marker = "\"result\":";
    String result =
        response
            .body()
            .substring(
                response.body().indexOf(marker) + marker.length(), response.body().length() - 1);
    assertThat(contentDigests.match(keptContent.digest(), result))
        .as("the digest of %s", response)
        .isEqualTo(ContentDigests.Match.SAME);
  }

  private static <E extends CallEvent> E onlyEnd(
      List<CallEvent> call, Class<E> kind, CallerResponse response) {
    assertThat(StoredEvents.endings(call))
        .as("the end of %s", response)
        .singleElement()
        .isInstanceOf(kind);
    return kind.cast(StoredEvents.endings(call).getFirst());
  }

  /** Checks that no call has two ends. */
  void checkSingleEnds() {
    stored
        .calls()
        .forEach(call ->
            assertThat(StoredEvents.endings(call)).as("the ends of %s", call).hasSizeLessThan(2));
  }

  /** Checks that calls that a process left open are closed with the right event. */
  void checkClosed(Collection<String> markers) {
    markers.forEach(marker -> {
      List<CallEvent> call = stored.of(marker);
      assertThat(StoredEvents.endings(call)).as("the end of %s", call).hasSize(1);
      CallEvent end = StoredEvents.endings(call).getFirst();
      if (StoredEvents.isForwarded(call)) {
        assertThat(end)
            .as("the end of the forwarded %s", call)
            .isInstanceOfSatisfying(
                CallOrphaned.class, orphaned -> assertThat(orphaned.forwarded()).isTrue());
      } else if (StoredEvents.first(call, ApprovalRequested.class).isPresent()) {
        assertThat(end)
            .as("the end of the held %s", call)
            .isInstanceOfSatisfying(
                CallAbandoned.class,
                abandoned ->
                    assertThat(List.of(abandoned.cause(), abandoned.forwarded()))
                        .isEqualTo(List.of(CallAbandoned.Cause.RESTARTED, false)));
      } else {
        assertThat(end).as("the end of %s", call).isInstanceOf(CallOrphaned.class);
      }
    });
  }
}

package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import gatebook.events.call.Bytes;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What is promised of every call, held against what is stored. */
final class Promises {
  private static final List<Class<? extends CallEvent>> INTENT =
      List.of(CallReceived.class, CallAdmitted.class, CallForwarded.class);
  private static final List<Class<? extends CallEvent>> INTENT_OF_HELD =
      List.of(
          CallReceived.class,
          ApprovalRequested.class,
          ApprovalGranted.class,
          CallAdmitted.class,
          CallForwarded.class);

  private final Stored stored;
  private final Path data;

  Promises(Stored stored, Path data) {
    this.stored = stored;
    this.data = data;
  }

  /** Nothing is forwarded before that is stored, and nothing twice. */
  void arrived(Map<String, Integer> arrivals) {
    arrivals.forEach((marker, times) -> {
      assertThat(times).as("arrivals of %s", marker).isOne();
      List<CallEvent> call = stored.of(marker);
      boolean held = Stored.first(call, ApprovalRequested.class).isPresent();
      assertThat(call.stream().map(Object::getClass).filter(INTENT_OF_HELD::contains).distinct())
          .as("what was stored of %s, which arrived upstream: %s", marker, call)
          .isEqualTo(held ? INTENT_OF_HELD : INTENT);
    });
  }

  /** Nothing is told before it is stored, word for word. */
  void told(Collection<Telling> tellings) {
    tellings.forEach(this::told);
  }

  private void told(Telling telling) {
    List<CallEvent> call = stored.of(telling.call().marker());
    assertThat(call).as("what is stored of %s", telling).isNotEmpty();
    if (telling.isAcknowledgement()) {
      assertThat(Stored.isForwarded(call) || !Stored.endings(call).isEmpty())
          .as("%s was acknowledged and decided: %s", telling, call)
          .isTrue();
      return;
    }
    JsonNode answer = telling.json();
    assertThat(answer.get("id")).hasToString(telling.call().id());
    if (answer.has("error")) {
      error(telling, answer.get("error"), call);
    } else {
      result(telling, call);
    }
  }

  private static void error(Telling telling, JsonNode error, List<CallEvent> call) {
    ErrorTranslated translated = only(call, ErrorTranslated.class, telling);
    ErrorResponse errorResponse = translated.told();
    assertThat(
            new ErrorResponse(
                errorResponse.dialect(),
                error.get("code").intValue(),
                error.get("message").textValue(),
                error.has("data") ? JsonValue.parse(error.get("data").toString()) : null,
                telling.status() == 200 ? null : Integer.valueOf(telling.status())))
        .as("%s was told what is stored", telling)
        .isEqualTo(
            errorResponse.httpStatus() != null && errorResponse.httpStatus() == 200
                ? withoutStatus(errorResponse)
                : errorResponse);
    boolean denial = telling.call().kind() == Call.Kind.DENIED;
    assertThat(Stored.first(call, GateDenied.class).isPresent() || !denial)
        .as("the denial of %s", telling)
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

  private void result(Telling telling, List<CallEvent> call) {
    KeptContent keptContent = only(call, CallAnswered.class, telling).result();
    String marker = "\"result\":";
    String result =
        telling
            .body()
            .substring(
                telling.body().indexOf(marker) + marker.length(), telling.body().length() - 1);
    assertThat(keptContent.digest().hmac()).as("the digest of %s", telling).isEqualTo(hmac(result));
  }

  private static <E extends CallEvent> E only(
      List<CallEvent> call, Class<E> kind, Telling telling) {
    assertThat(Stored.endings(call))
        .as("the end of %s", telling)
        .singleElement()
        .isInstanceOf(kind);
    return kind.cast(Stored.endings(call).getFirst());
  }

  private Bytes hmac(String text) {
    try {
      byte[] key = Base64.getDecoder().decode(Files.readString(data.resolve("digest.key")).strip());
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return Bytes.of(mac.doFinal(text.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** No call has two ends. */
  void endedOnce() {
    stored
        .calls()
        .forEach(
            call -> assertThat(Stored.endings(call)).as("the ends of %s", call).hasSizeLessThan(2));
  }

  /** Calls that a process left open are closed as what they were. */
  void closed(Collection<String> markers) {
    markers.forEach(marker -> {
      List<CallEvent> call = stored.of(marker);
      assertThat(Stored.endings(call)).as("the end of %s", call).hasSize(1);
      CallEvent end = Stored.endings(call).getFirst();
      if (Stored.isForwarded(call)) {
        assertThat(end)
            .as("the end of the forwarded %s", call)
            .isInstanceOfSatisfying(
                CallOrphaned.class, orphaned -> assertThat(orphaned.forwarded()).isTrue());
      } else if (Stored.first(call, ApprovalRequested.class).isPresent()) {
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

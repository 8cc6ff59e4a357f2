package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/** The verdict of one gate on one call. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Verdict {

  /** The next gate decides. */
  @JsonTypeName("pass")
  record Pass() implements Verdict {}

  /** The call is forwarded; no further gate decides. */
  @JsonTypeName("forward")
  record Forward() implements Verdict {}

  /** A person decides, by the workflow; gates in between are skipped. */
  @JsonTypeName("ask")
  record Ask(String workflow) implements Verdict {}

  /** The call ends here; {@code detail} is for operators, never for the caller. */
  @JsonTypeName("deny")
  record Deny(DenialReason reason, @Erasable @Nullable String detail) implements Verdict {}
}

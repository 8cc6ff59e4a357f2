package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/** What one gate decided about one call. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Verdict {

  /** The next gate decides. */
  @JsonTypeName("pass")
  record Pass() implements Verdict {}

  /** The call goes upstream; no further gate is asked. */
  @JsonTypeName("forward")
  record Forward() implements Verdict {}

  /** A person decides, as the workflow says; gates in between are not asked. */
  @JsonTypeName("ask")
  record Ask(String workflow) implements Verdict {}

  /** The call ends here; {@code detail} is for operators, never for the caller. */
  @JsonTypeName("deny")
  record Deny(DenialReason reason, @Nullable String detail) implements Verdict {}
}

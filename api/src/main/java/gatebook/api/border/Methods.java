package gatebook.api.border;

import gatebook.api.rpc.Members;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.receive.Aim;
import gatebook.command.rules.Rules;
import gatebook.events.call.Dialect;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the methods of one dialect mean. */
public interface Methods {

  Dialect dialect();

  /** What a call wants. */
  Aim aim(Asking asking);

  /** The part of the params that a target is given, as it was sent. */
  Optional<String> arguments(Asking asking);

  /** The answer to a method that is answered here. */
  CompletableFuture<Ended> answer(Asking asking, Ground ground);

  /** A notification that no gate governs was recorded. */
  default void noted(Asking asking, Ground ground) {}

  /**
   * A call as its dialect sees it.
   *
   * @param params the text of an object or array as it was sent; absent where there was none
   * @param members those of the params
   * @param version of the dialect that the caller says it speaks; absent when it says none
   */
  record Asking(
      String method,
      @Nullable String params,
      Members members,
      @Nullable String version,
      Rules rules) {}
}

package gatebook.api.border;

import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the methods of one dialect mean. */
public interface Methods {

  Dialect dialect();

  /** What a call wants, in the version of the dialect that the caller says it speaks. */
  Aim aim(String method, @Nullable String params, @Nullable String version);

  /** The part of the params that a target is given, as it was sent. */
  Optional<String> arguments(String method, @Nullable String params);

  /** The result, as JSON, of a method that is answered here. */
  String answer(String method, @Nullable String params);
}

package gatebook.api.gateway.message;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading of a call by its dialect: made when it is first needed, and then kept. */
public final class DialectReading {
  private @Nullable Object made;

  /** {@code type} is the same for every call of one dialect. */
  synchronized <T> T get(Class<T> type, Supplier<T> reader) {
    Object reading = made;
    if (reading == null) {
      reading = reader.get();
      made = reading;
    }
    return type.cast(reading);
  }
}

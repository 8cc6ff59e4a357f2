package gatebook.api.gateway;

import gatebook.command.rules.GatewayLimits;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;

/** The default limits with some changed. */
public final class LimitsFixture {

  private LimitsFixture() {}

  /** The default limits with these values, by name. */
  public static GatewayLimits by(Map<String, ? extends Number> others) {
    RecordComponent[] limits = GatewayLimits.class.getRecordComponents();
    if (!Arrays.stream(limits)
        .map(RecordComponent::getName)
        .toList()
        .containsAll(others.keySet())) {
      throw new IllegalArgumentException("no such limits: " + others.keySet());
    }
    try {
      Object[] values = new Object[limits.length];
      for (int i = 0; i < limits.length; i++) {
        values[i] = value(limits[i], others);
      }
      return GatewayLimits.class
          .getDeclaredConstructor(
              Arrays.stream(limits).map(RecordComponent::getType).toArray(Class<?>[]::new))
          .newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object value(RecordComponent limit, Map<String, ? extends Number> others)
      throws ReflectiveOperationException {
    Number other = others.get(limit.getName());
    if (other == null) {
      return limit.getAccessor().invoke(GatewayLimits.DEFAULT);
    }
    return limit.getType() == int.class ? other.intValue() : (Object) other.longValue();
  }
}

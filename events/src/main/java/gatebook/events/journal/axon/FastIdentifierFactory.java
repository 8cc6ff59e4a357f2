package gatebook.events.journal.axon;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;
import org.axonframework.common.IdentifierFactory;

/**
 * A fast factory of random message identifiers: it does not ask the operating system for each. Axon
 * finds it as a service.
 *
 * <p>An identifier protects nothing; it only has to be unique.
 */
public final class FastIdentifierFactory extends IdentifierFactory {
  private static final long VERSION_MASK = ~0xF000L;
  private static final long VERSION = 0x4000L;
  private static final long VARIANT_MASK = ~0xC000_0000_0000_0000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private final ThreadLocal<SplittableRandom> random =
      ThreadLocal.withInitial(() -> new SplittableRandom(new SecureRandom().nextLong()));

  @Override
  public String generateIdentifier() {
    SplittableRandom bits = random.get();
    long high = (bits.nextLong() & VERSION_MASK) | VERSION;
    long low = (bits.nextLong() & VARIANT_MASK) | VARIANT;
    return new UUID(high, low).toString();
  }
}

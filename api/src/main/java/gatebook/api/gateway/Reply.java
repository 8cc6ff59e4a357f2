package gatebook.api.gateway;

import org.jspecify.annotations.Nullable;

/**
 * The reply to one message. Everything it says is durable, or it says that it is not.
 *
 * @param body the response; absent when the message wanted none
 */
@SuppressWarnings("ArrayRecordComponent") // written once and never compared
public record Reply(String correlationId, int httpStatus, byte @Nullable [] body) {}

// The content of a push as a phone shows it: title, body, badge. lock-screen.js draws it.

/** Returns the recipient: a device's token, or a topic or condition. */
export const targetOf = (push) => push.token ?? (push.topic ? `topic ${push.topic}` : push.condition);

/** Returns a text or undefined: an APNs payload may have values of any type. */
const text = (value) => (typeof value === "string" ? value : undefined);

function count(value) {
  const number = typeof value === "number" || text(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the URL of a picture, or undefined: phones load pictures over https only. */
const picture = (value) => (text(value)?.startsWith("https://") && URL.canParse(value) ? value : undefined);

/**
 * Returns {title, body, image, badge, isSilent, collapseKey, conversation, type}; badge and image are undefined if the
 * push has none.
 */
export function shownBy({ message }) {
  const aps = message.apns?.payload?.aps ?? {};
  const alert = typeof aps.alert === "string" ? { body: aps.alert } : (aps.alert ?? {});
  const notification = message.android?.notification ?? {};
  const title = text(message.notification?.title) ?? text(alert.title) ?? text(notification.title);
  const body = text(message.notification?.body) ?? text(alert.body) ?? text(notification.body);
  return {
    title, body,
    image: picture(message.notification?.image) ?? picture(message.apns?.fcm_options?.image)
      ?? picture(notification.image),
    badge: count(aps.badge) ?? count(notification.notification_count) ?? count(message.data?.badge),
    isSilent: title === undefined && body === undefined,
    collapseKey: text(message.apns?.headers?.["apns-collapse-id"]) ?? text(notification.tag),
    conversation: text(message.data?.conversationId),
    type: text(message.data?.type),
  };
}

/**
 * Groups pushes by phone, each phone's newest first: {target, badge, pushes: [{push, shown, times}]}. A push with the
 * collapse ID of an earlier one replaces it, as on a phone.
 */
export function byPhone(pushes) {
  const phones = new Map();
  for (const push of pushes) {
    const target = targetOf(push);
    if (!phones.has(target)) phones.set(target, { target, badge: 0, pushes: new Map() });
    const phone = phones.get(target);
    const shown = shownBy(push);
    if (shown.badge !== undefined) phone.badge = shown.badge;
    const key = shown.isSilent || !shown.collapseKey ? push.name : `collapse ${shown.collapseKey}`;
    const times = (phone.pushes.get(key)?.times ?? 0) + 1;
    phone.pushes.delete(key);
    phone.pushes.set(key, { push, shown, times });
  }
  return [...phones.values()].map((phone) => ({ ...phone, pushes: [...phone.pushes.values()].reverse() }));
}

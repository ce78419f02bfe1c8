const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a URL's host is this machine, where plain HTTP is as safe as HTTPS (RFC 8252, 8.3). */
export const isLocalHost = ({ hostname }: URL): boolean => LOCAL_HOSTS.includes(hostname)

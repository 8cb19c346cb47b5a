#define TELL "values %v4hld and %v2hhu\n"
inline void tell_all(int4 a, uchar2 b) { printf(TELL, a, b); }

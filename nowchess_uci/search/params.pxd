# The numbers of the search that can be tuned; params.py gives each its value, range and meaning.
cdef struct Params:
    int aspiration_window
    int reverse_futility_margin
    int reverse_futility_improving
    int null_base
    int null_depth_divisor
    int null_score_divisor
    int null_lead
    int null_lead_slope
    int futility_base
    int futility_margin
    int late_move_base
    int quiet_exchange_margin
    int tactical_exchange_margin
    int history_prune_margin
    int probcut_margin
    int singular_margin
    int double_extension_margin
    int reduction_base
    int reduction_divisor
    int reduction_history_divisor
    int deeper_margin
    int shallower_margin
    int history_bonus_slope
    int history_bonus_offset
    int history_bonus_limit
    int check_bonus
    int delta_margin

cdef Params params
